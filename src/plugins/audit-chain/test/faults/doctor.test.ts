import { expect, test } from 'vitest'
import { atriumHere } from '#test/cli-here.ts'
import { cloneDatabase, openInspector } from '#test/database.ts'
import { newFolder } from '#test/folder.ts'
import { openLayer } from '#test/layer.ts'
import { settleAudit } from '#test/settled.ts'

const root = newFolder()

test('the doctor finds an audit whose rows get no link, until they have one', async () => {
  // Without a service, which would link the row.
  const DATABASE_URL = await cloneDatabase()
  const [database, look] = await Promise.all([openLayer(DATABASE_URL), openInspector(DATABASE_URL)])
  await look.rows(
    `insert into audit_operations (tenant_id, request_id, method, path, route, status, duration, ip, user_agent, created_at)
     values (1, 'old', 'PUT', '/', '/', 200, 1, '', '', now() - interval '3 hours')`,
  )
  const ofAudit = async () => {
    const said = await atriumHere('doctor --json', { env: { DATABASE_URL, FILE_STORAGE_ROOT: root } })
    return said.json().find(({ check }: { check: string }) => check === 'audit')
  }
  expect(await ofAudit()).toMatchObject({
    verdict: 'warn',
    what: expect.stringMatching(/^rows have had no link for 1[89]\d minutes, so a change of them would not be seen$/),
    remedy: expect.stringMatching(/^a running service links them/),
  })

  await settleAudit(database, 1)
  expect(await ofAudit()).toMatchObject({ verdict: 'ok' })
})
