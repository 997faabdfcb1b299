import { fileStore } from '#atrium'
import { command } from '../../src/atrium/command-line.ts'
import { catalogue } from '../../src/atrium/ports/serving.ts'
import { proveIsolation } from '../../src/data/setup/isolation/prove-isolation.ts'
import { migrate } from '../../src/data/setup/migrate.ts'
import { knownMigrations } from '../../src/data/setup/migrations.ts'
import { openProgress, remark } from '../cli/terminal.ts'
import { configOf, log, migrationSources, withUrl } from '../cli/workplace.ts'
import { loadArchive } from './load-archive.ts'
import { clearTarget, releaseTarget } from './refill.ts'
import { assertKnown, verifyArchive } from './verify-archive.ts'

export const restore = command({
  about: 'Restore a backup into an empty database and the file storage',
  detail: `The database may have a different name, owner and kind. The whole archive is verified first. If the restore is interrupted,
repeat it with the same line and --replace; until it is finished no service starts on the database. Finally isolation is proven.`,
  operands: ['FILE'],
  options: { replace: { type: 'boolean', about: 'remove everything in the database; files in the storage stay' } },
  run: async ({ replace = false }, file: string) => {
    const config = configOf(process.env)
    const sources = await migrationSources(config)
    const progress = openProgress()
    const verified = await verifyArchive(file, progress.tell).finally(() => progress.end())
    const { manifest } = verified
    assertKnown(manifest, await knownMigrations(sources))
    const bring = async (url: string) => {
      const owner = config.migrationUrl ?? url
      const storage = await fileStore.get().open(config.files)
      const applied = new Set(manifest.migrations.map(({ name }) => name))
      try {
        await clearTarget(owner, replace)
        await migrate(owner, log, sources, { restoring: applied })
        const restored = await loadArchive(file, verified, owner, storage, progress.tell)
        const { role } = await migrate(owner, log, sources, { restoring: 'to the end', andThen: catalogue.get() })
        await proveIsolation(url, role)
        await releaseTarget(owner)
        return restored
      } finally {
        storage.close()
        progress.end()
      }
    }
    const { rows, files, missing } = await withUrl(config, bring, { mayMake: true })
    remark(`${rows} rows and ${files} files of ${manifest.takenAt} are restored, and tenants are isolated.`)
    for (const name of missing) remark(`not in the file storage: ${name}`)
    return missing.length > 0 ? 1 : 0
  },
})
