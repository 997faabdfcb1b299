import { readFileSync } from 'node:fs'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService } from '../../src/start.ts'
import { atrium } from '../support/cli.ts'
import { testConfig } from '../support/config.ts'
import { type Inspector, openInspector } from '../support/database.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/postgres.ts'
import { openRemote } from '../support/remote.ts'

/** What compose.yaml has PostgreSQL do before the first start, on a server of this test. */
const [, script] = /<<'SQL'\n([\s\S]*)^SQL$/m.exec(
  readFileSync(new URL('../../deploy/postgres/10-atrium.sh', import.meta.url), 'utf8'),
)!

let postgres: OwnPostgres
let superuser: Inspector
let url: string
beforeAll(async () => {
  postgres = await startOwnPostgres({ durable: false })
  const any = await postgres.createDatabase()
  superuser = await openInspector(any)
  // The embedded server comes with a role and a database of this name.
  const statements = script!
    .replaceAll(/\batrium\b/g, 'shop')
    .replaceAll('atrium_service_atrium', 'atrium_service_shop')
    .replace(":'password'", "'of the file'")
  for (const statement of statements.split(';').filter((text) => text.trim())) await superuser.rows(statement)
  url = Object.assign(new URL(any), { username: 'shop', password: 'of the file', pathname: '/shop' }).href
})
afterAll(async () => {
  await superuser?.close()
  await postgres?.stop()
})

test('the role of compose.yaml is nothing but the owner of its database, and the service parts from it', async () => {
  const service = await startService(testConfig(), url, pino({ level: 'silent' }))
  const remote = openRemote(service.port)
  ;(await remote.as().post('/auth/login', { username: 'admin', password: 'admin123' })).expect(200)
  remote.close()
  await service.stop()

  expect(
    await superuser.rows(
      'select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication from pg_roles where rolname = $1',
      ['shop'],
    ),
  ).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false, rolreplication: false }])
  const { out } = await atrium('doctor', { env: { DATABASE_URL: url } })
  expect(out).toMatch(/ok +\S.*\batrium_service_shop\b/)
  expect(out).not.toMatch(/^fail/m)
})
