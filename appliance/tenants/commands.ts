import { fileStore, openTenantRows, writeTenant } from '#atrium'
import { closeTenant, reopenTenant, TenantDraft } from '#atrium/tenants'
import { command, type Group, Misunderstood, Refusal } from '../../src/atrium/command-line.ts'
import { UNFOLLOWED } from '../../src/data/archive/soft-references.ts'
import type { TenantManifest } from '../../src/data/archive/tenant-archive.ts'
import { listApplied } from '../../src/data/setup/migrations.ts'
import { FIRST_TENANT } from '../../src/kernel/actor.ts'
import { save } from '../backup/save.ts'
import { actAs, tenantOf } from '../cli/system.ts'
import { openProgress, remark, say, unlessStopped } from '../cli/terminal.ts'
import { configOf, takeOnce, withDatabase } from '../cli/workplace.ts'
import { importTenant } from './import.ts'
import { assertSameVersion, verifyTenantArchive } from './verify.ts'

const exportTenant = command({
  about: 'Write everything of a tenant into one archive',
  detail: `The service keeps running, and the tenant works on. FILE is new; without it, or with -, the archive goes to stdout. It is
a tar with the files, one JSON object a line for each row, and manifest.json with the SHA-256 of each. Password hashes go
along; keys, tokens and second factors do not. Exit code 1 if files were missing or damaged.`,
  operands: ['CODE', '[FILE]'],
  run: async (_, code = '', file = '-') => {
    const config = configOf(process.env)
    return withDatabase(config, async (database) => {
      const { id } = await tenantOf(database, code)
      const storage = await fileStore.get().open(config.files)
      const rows = await takeOnce(() => openTenantRows(database, id))
      if (!rows) throw new Refusal(`An export of ${code} is running.`)
      try {
        const archive = writeTenant(rows, storage, config.build.version)
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
    })
  },
})

const importArchive = command({
  about: 'Make a new tenant of the archive of one',
  detail: `Both installations have the same version. The whole archive is verified first. The tenant gets new ids, and nobody enters it
before it is whole. If it is interrupted, repeat the line. People sign in with the passwords that they had; sessions, keys and second factors are new.
Exit code 1 if rows were left out.`,
  operands: ['FILE'],
  options: { code: { type: 'string', value: 'CODE', about: 'of the new tenant; needed' } },
  run: async ({ code }, file = '') => {
    const checked = TenantDraft.shape.code.safeParse(code)
    if (!checked.success) throw new Misunderstood(`--code: ${checked.error.issues[0]!.message}`)
    const config = configOf(process.env)
    const progress = openProgress()
    return withDatabase(config, async (database) => {
      const manifest = await verifyTenantArchive(file, progress.tell)
      const client = await database.connectAlone()
      assertSameVersion(manifest, await listApplied(client).finally(() => client.end()))
      const storage = await fileStore.get().open(config.files)
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

const erase = command({
  about: 'Close a tenant, and have everything of it erased in 30 days',
  detail: `Within a second none of its users can sign in. Until then everything can be taken back with --undo. After it a running service
erases rows and files, and keeps a proof of how many there were. Backups that were taken before still hold them.`,
  operands: ['CODE'],
  options: { undo: { type: 'boolean', about: 'take it back' } },
  run: async ({ undo = false }, code = '') => {
    await withDatabase(configOf(process.env), async (database) => {
      const { id } = await tenantOf(database, code)
      const act = undo ? reopenTenant : closeTenant
      const tenant = await actAs(database, FIRST_TENANT, undo ? 'tenant erase --undo' : 'tenant erase', (tx) =>
        act(tx, id),
      )
      say(undo ? `${code} is ${tenant.status} again.` : `${code} is closed. It will be erased on ${tenant.eraseAt}.`)
    })
  },
})

/** What moves and removes a whole tenant. */
export const wholeTenants: Group['commands'] = { export: exportTenant, import: importArchive, erase }
