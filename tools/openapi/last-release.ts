import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { VERSION } from '../../src/config/build.ts'
import { checksumOf } from '../../src/data/setup/migrations.ts'
import { mergeDocuments } from '../../src/http/docs/document.ts'
import { filesOfPlugins } from '../of-plugins.ts'
import type { Json } from './schemas.ts'

/** What the newest release shipped, which later ones must not break. `npm run release -- --promise` writes it. */
const ROOT = new URL('../../', import.meta.url)
const FILE = new URL('test/contract/last-release.json.gz', ROOT)

interface Release {
  version: string
  core: Json
  /** what each plug-in adds, by its name */
  plugins: Record<string, Json>
  /** the checksum of each migration, by its path */
  migrations: Record<string, string>
}

const documents = () => filesOfPlugins('openapi.json').map((path) => [basename(dirname(path)), readJson(path)] as const)

/** What the newest release promised; of plug-ins, those that are still here. */
export function readLastRelease(): { version: string; document: Json; migrations: Release['migrations'] } {
  const { version, core, plugins, migrations }: Release = JSON.parse(gunzipSync(readFileSync(FILE)).toString())
  const here = documents().flatMap(([name]) => plugins[name] ?? [])
  return { version, document: mergeDocuments(core, here), migrations }
}

/** The checksum of each migration that is here, by its path. */
export function sumsOfMigrations(): Release['migrations'] {
  const files = globSync('{db,src/plugins/*}/migrations/*.sql', { cwd: ROOT }).sort()
  return Object.fromEntries(files.map((path) => [path, checksumOf(read(path))]))
}

/** Makes the documents as they are now those of the newest release. */
export function writeLastRelease(): void {
  const release: Release = {
    version: VERSION,
    core: readJson('openapi.json'),
    plugins: Object.fromEntries(documents()),
    migrations: sumsOfMigrations(),
  }
  writeFileSync(FILE, gzipSync(JSON.stringify(release), { level: 9 }))
}

function read(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8')
}

function readJson(path: string): Json {
  return JSON.parse(read(path))
}
