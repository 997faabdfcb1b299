import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npm run db:new add approvals`: the next migration of the core, empty except for its header; `npm run db:new webhooks:
 * add colours` is that of a plug-in.
 */
const said = process.argv.slice(2).join(' ').trim().toLowerCase()
const [, plugin, words] = /^(?:([a-z][a-z-]*): *)?([a-z][a-z0-9 _-]*)$/.exec(said) ?? []
if (words === undefined || (plugin && !existsSync(pluginAt(plugin)))) {
  console.error('Give it a name that says what it does:  npm run db:new [PLUGIN:] add approvals')
  process.exit(1)
}
const MIGRATIONS = fileURLToPath(
  plugin ? new URL('migrations/', pluginAt(plugin)) : new URL('../db/migrations/', import.meta.url),
)
mkdirSync(MIGRATIONS, { recursive: true })

function pluginAt(name: string): URL {
  return new URL(`../src/plugins/${name}/`, import.meta.url)
}

const last = Math.max(0, ...readdirSync(MIGRATIONS).map((name) => Number.parseInt(name, 10) || 0))
const name = `${String(last + 1).padStart(4, '0')}_${words.replace(/[ _-]+/g, '_')}.sql`
const sentence = words.replace(/[_-]+/g, ' ')
const file = `${MIGRATIONS}${name}`
writeFileSync(
  file,
  `-- ${sentence[0]!.toUpperCase()}${sentence.slice(1)}: why, in one sentence.
--
-- It runs once, in a transaction of its own, and is never changed after that: later changes are a new migration. It waits
-- half a second for a table and then starts over. The release of before runs beside it: what it writes must do. Nothing
-- that reads or writes every row may hold a table that grows (npm run check names it): an index is built concurrently, a
-- key is added "not valid" and validated later, older rows are filled in batches. Those are files that begin with
-- "-- atrium: no transaction" and can run again after an interruption: "drop index concurrently if exists …;" comes first.
-- A table with a tenant_id has primary key (tenant_id, id), foreign keys and unique keys that begin with
-- tenant_id, and ends with:  select protect('its_name');
`,
  { flag: 'wx' },
)
console.log(`${relative(process.cwd(), file)}

Write it before the service starts again: the start applies it, and what was applied is sealed.
Then run  npm run db:types`)
