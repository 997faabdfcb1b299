import { type CommandLine, type Commands, command, listApplied, Misunderstood, Refusal } from '#atrium'
import { openStorage } from '#atrium/files'
import { TenantDraft } from '#atrium/tenants'
import { importTenant } from './archive/import-tenant.ts'
import { UNFOLLOWED } from './archive/insert-rows.ts'
import { takeOnce } from './archive/take-once.ts'
import type { TenantManifest } from './archive/tenant-archive.ts'
import { openTenantRows } from './archive/tenant-rows.ts'
import { assertSameVersion, verifyTenantArchive } from './archive/verify-archive.ts'
import { writeTenant } from './archive/write-tenant.ts'

/** What moves a whole tenant. */
export function commands(cli: CommandLine): Commands {
  return { tenant: { about: 'Tenants', commands: { export: exportTo(cli), import: importFrom(cli) } } }
}

const exportTo = ({ config, remark, withDatabase, tenantOf, actAs, save }: CommandLine) =>
  command({
    about: 'Write everything of a tenant into one archive',
    detail: `The service keeps running, and the tenant works on. FILE is new; without it, or with -, the archive goes to stdout. It is
a tar with the files, one JSON object a line for each row, and manifest.json with the SHA-256 of each. Password hashes go
along; keys, tokens and second factors do not. Exit code 1 if files were missing or damaged.`,
    operands: ['CODE', '[FILE]'],
    run: async (_, code = '', file = '-') =>
      withDatabase(async (database) => {
        const { files: settings, build } = config()
        const { id } = await tenantOf(database, code)
        const storage = await openStorage(settings)
        const rows = await takeOnce(() => openTenantRows(database, id))
        if (!rows) throw new Refusal(`An export of ${code} is running.`)
        try {
          const archive = writeTenant(rows, storage, build.version)
          let manifest: TenantManifest | undefined
          await save(
            file,
            (async function* () {
              manifest = yield* archive
            })(),
            rows.close,
          )
          await actAs(database, id, 'tenant export', async () => {})
          const { rows: counts, files, entries } = manifest!
          const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
          remark(`${total} rows and ${entries.filter(({ name }) => name.startsWith('files/')).length} files.`)
          for (const name of files.damaged) remark(`missing or damaged: ${name}`)
          return files.damaged.length > 0 ? 1 : 0
        } finally {
          await rows.close()
          storage.close()
        }
      }),
  })

const importFrom = ({ config, say, remark, withDatabase, actAs, openProgress, unlessStopped }: CommandLine) =>
  command({
    about: 'Make a new tenant of the archive of one',
    detail: `Both installations have the same version. The whole archive is verified first. The tenant gets new ids, and nobody enters it
before it is whole. If it is interrupted, repeat the line. People sign in with the passwords that they had; sessions, keys and second factors are new.
Exit code 1 if rows were left out.`,
    operands: ['FILE'],
    options: { code: { type: 'string', value: 'CODE', about: 'of the new tenant; needed' } },
    run: async ({ code }, file = '') => {
      const checked = TenantDraft.shape.code.safeParse(code)
      if (!checked.success) throw new Misunderstood(`--code: ${checked.error.issues[0]!.message}`)
      const progress = openProgress()
      return withDatabase(async (database) => {
        const manifest = await verifyTenantArchive(file, progress.tell)
        const client = await database.connectAlone()
        assertSameVersion(manifest, await listApplied(client).finally(() => client.end()))
        const storage = await openStorage(config().files)
        try {
          const imported = await unlessStopped('Nothing was imported.', (stopping) =>
            importTenant(database, storage, file, manifest, checked.data, progress.tell, stopping),
          )
          await actAs(database, imported.tenantId, 'tenant import', async () => {})
          say(
            `${checked.data} is tenant ${imported.tenantId}: ${imported.rows} rows and ${imported.files} files of ${manifest.createdAt}.`,
          )
          for (const [table, count] of Object.entries(imported.leftOut))
            remark(`${count} rows of ${table} need something that does not exist here, and were left out.`)
          remark(`Not followed, because nothing says what they name: ${UNFOLLOWED.join('; ')}.`)
          return Object.keys(imported.leftOut).length > 0 ? 1 : 0
        } finally {
          storage.close()
        }
      }).finally(() => progress.end())
    },
  })
