import { readdirSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `npm run db:new add approvals`: the next migration, empty but for its header. */
const MIGRATIONS = fileURLToPath(new URL('../db/migrations/', import.meta.url))

const words = process.argv.slice(2).join(' ').trim().toLowerCase()
if (!/^[a-z][a-z0-9 _-]*$/.test(words)) {
  console.error('Give it a name that says what it does:  npm run db:new add approvals')
  process.exit(1)
}

const last = Math.max(0, ...readdirSync(MIGRATIONS).map((name) => Number.parseInt(name, 10) || 0))
const name = `${String(last + 1).padStart(4, '0')}_${words.replace(/[ _-]+/g, '_')}.sql`
const sentence = words.replace(/[_-]+/g, ' ')
const file = `${MIGRATIONS}${name}`
writeFileSync(
  file,
  `-- ${sentence[0]!.toUpperCase()}${sentence.slice(1)}: why, in one sentence.
--
-- It runs once, in a transaction of its own, and is sealed by then: later changes are a new migration. It waits two
-- seconds for a table and then starts over, so it asks for few. An index of a table that is in use is built concurrently,
-- in a file of its own that begins with "-- atrium: no transaction" and can run again where it was cut off:
-- "drop index concurrently if exists …;" comes first. The release of before runs beside it: what it writes must do. A table with a tenant_id has primary key (tenant_id, id), foreign keys and unique keys that begin with
-- tenant_id, and ends with:  select protect('its_name');
`,
  { flag: 'wx' },
)
console.log(`${relative(process.cwd(), file)}

Write it before the service starts again: the start applies it, and what was applied is sealed.
Then run  npm run db:types`)
