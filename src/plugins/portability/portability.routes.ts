import { Readable } from 'node:stream'
import { type DomainRoutes, type FastifyRequest, openRoom, Unavailable } from '#atrium'
import { openStorage } from '#atrium/files'
import { openTenantRows } from './archive/tenant-rows.ts'
import { writeTenant } from './archive/write-tenant.ts'
import { archiveName, exportFaults } from './portability.rules.ts'
import { Archive } from './portability.schemas.ts'

/** Exports that one process writes at a time: each has a connection to the database. */
const MOST_AT_ONCE = 4
/** After so many bytes the right to an export is asked for again. */
const ASKED_AFTER = 1_048_576

/** The data of a tenant, given back. */
export const portabilityRoutes: DomainRoutes = async (app, { config }) => {
  const storage = await openStorage(config.files)
  const room = openRoom(MOST_AT_ONCE)
  app.addHook('onClose', async () => storage.close())

  app.get(
    '/tenant/export',
    {
      exposeHeadRoute: false,
      config: { access: 'tenant:export', audited: true },
      schema: {
        operationId: 'exportTenant',
        summary: 'Export the tenant',
        description: [
          'Everything of the tenant as of one moment, as a tar archive, while the tenant works on. `manifest.json` names every entry with its SHA-256, and what is kept back: password hashes go along, secrets that can be used do not (keys, tokens, second factors). `atrium tenant import` makes a tenant of it in another installation.',
          'An archive whose last entry, `manifest.json.sha256`, is missing was cut off. One export of a tenant runs at a time; it ends if the connection closes, if its caller is no longer permitted while its token lasts, if it is read more slowly than 2 MiB a minute, and after six hours.',
        ].join('\n\n'),
        sends: ['Content-Disposition'],
        refuses: [exportFaults.running],
        response: { 200: { description: 'The archive', content: { 'application/x-tar': { schema: Archive } } } },
      },
    },
    async (req, reply) => {
      const { tenantId } = req.scope
      if (room.heldBy(tenantId) > 0) throw exportFaults.running()
      if (!room.take(tenantId)) throw new Unavailable('too many exports are running')
      const rows = await openTenantRows(app.database, tenantId, () => room.giveBack(tenantId))
      // It runs in another process.
      if (!rows) throw exportFaults.running()
      app.slowReaders.hurry(req)
      const archive = Readable.from(whileAllowed(req, writeTenant(rows, storage, config.build.version)), {
        objectMode: false,
      })
      archive.once('close', () => void rows.close())
      return reply
        .type('application/x-tar')
        .headers({
          'cache-control': 'no-store',
          'content-disposition': `attachment; filename="${archiveName(rows.tenant.code, rows.takenAt)}"`,
        })
        .send(archive as never)
    },
  )
}

/**
 * The parts of an answer, which ends early if the request would no longer be allowed. Nobody is asked for another token: an
 * export may last longer than the one with which it began.
 */
async function* whileAllowed(req: FastifyRequest, parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let sent = 0
  for await (const part of parts) {
    yield part
    sent += part.length
    if (sent < ASKED_AFTER) continue
    sent = 0
    if (req.tokenExpiresAt > Date.now()) await req.assertStillAllowed()
  }
}
