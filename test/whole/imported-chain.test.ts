import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openScope } from '../../src/data/tx/open-scope.ts'
import { openStorage } from '../../src/domains/files/files.ts'
import { verifyChain } from '../../src/plugins/audit-chain/verify.ts'
import { importTenant } from '../../src/plugins/portability/archive/import-tenant.ts'
import { verifyTenantArchive } from '../../src/plugins/portability/archive/verify-archive.ts'
import { exportAs } from '../../src/plugins/portability/test/archive.ts'
import { testConfig } from '../support/config.ts'
import { until } from '../support/patience.ts'
import { seedTenant } from '../support/samples.ts'
import { skippedOnCluster } from '../support/servers.ts'
import { settleAudit } from '../support/settled.ts'
import { givenFolder } from '../support/uploads.ts'
import { openWorld } from '../support/world.ts'

const folder = givenFolder()
const world = await openWorld({ env: { FILE_STORAGE_ROOT: folder.root } })
const storage = await openStorage(testConfig({ FILE_STORAGE_ROOT: folder.root }).files)
const file = join(mkdtempSync(join(tmpdir(), 'atrium-import-')), 'source.tar')
afterAll(() => {
  storage.close()
  folder.remove()
  rmSync(dirname(file), { recursive: true })
})

const onCluster = skippedOnCluster('imports of tenants', 'a cluster takes none')

test.skipIf(onCluster)(
  'a tenant that is imported begins the chain of its audit again, over the rows that came with it',
  async () => {
    const { tenant } = await seedTenant(world, await world.givenTenant(), 'of the source')
    await settleAudit(world.database, tenant.id)
    await writeFile(file, (await exportAs(world.app, tenant.administrator)).stream)
    const quiet = () => {}
    await importTenant(world.database, storage, file, await verifyTenantArchive(file, quiet), 'brought', quiet)
    const [{ id }] = (await world.look.rows(`select id::float8 from tenants where code = 'brought'`)) as [
      { id: number },
    ]
    const countOf = (table: string) => world.look.count(`select count(*) from ${table} where tenant_id = $1`, [id])

    // The service does so too, and the audit of the last request may still be on its way.
    const verified = await until(async () => {
      await settleAudit(world.database, id)
      const found = await verifyChain(openScope(world.database, id))
      return found.rows === (await countOf('audit_operations')) && found
    })

    expect(verified).toEqual({ rows: expect.any(Number), end: expect.anything() })
    expect(await countOf('audit_chains')).toBe(1)
    expect(verified.rows).toBeGreaterThan(10)
  },
)
