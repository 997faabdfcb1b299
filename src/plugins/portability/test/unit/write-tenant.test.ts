import { expect, test } from 'vitest'
import type { TenantRows } from '../../archive/tenant-rows.ts'
import { writeTenant } from '../../archive/write-tenant.ts'

test('anyone who has the end of an archive may begin the next one: its rows are closed before that is sent', async () => {
  const order: string[] = []
  const rows: TenantRows = {
    takenAt: new Date(0),
    tenant: { id: 1, code: 'company', name: 'Company' },
    migrations: [],
    tables: [],
    shared: [],
    async *files() {},
    isThere: async () => true,
    lines: async () => ({ rows: 0, size: 0, body: [] as never }),
    close: async () => void order.push('closed'),
  }
  const noFiles = { read: () => Promise.reject(new Error('there are no files')) }
  for await (const chunk of writeTenant(rows, noFiles as never, '1.0.0'))
    if (chunk.includes('manifest.json.sha256')) order.push('end')

  expect(order).toEqual(['closed', 'end'])
})
