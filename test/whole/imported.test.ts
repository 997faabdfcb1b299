import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openScope } from '../../src/data/tx/open-scope.ts'
import { openStorage } from '../../src/domains/files/files.ts'
import { verifyChain } from '../../src/plugins/audit-chain/verify.ts'
import { importTenant } from '../../src/plugins/portability/archive/import-tenant.ts'
import { verifyTenantArchive } from '../../src/plugins/portability/archive/verify-archive.ts'
import { exportAs } from '../../src/plugins/portability/test/archive.ts'
import type { Client } from '../support/client.ts'
import { testConfig } from '../support/config.ts'
import { newFolder } from '../support/folder.ts'
import { until } from '../support/patience.ts'
import { seedTenant } from '../support/samples.ts'
import { skippedOnCluster } from '../support/servers.ts'
import { settleAudit } from '../support/settled.ts'
import { openWorld, type Tenant } from '../support/world.ts'

const folder = newFolder()
const world = await openWorld({ env: { FILE_STORAGE_ROOT: folder } })
const storage = await openStorage(testConfig({ FILE_STORAGE_ROOT: folder }).files)
const file = join(newFolder(), 'source.tar')
afterAll(() => storage.close())

const onCluster = skippedOnCluster('imports of tenants', 'a cluster takes none')

/** Moves a tenant into one of another code. @returns its id there */
async function move(tenant: Tenant, code: string): Promise<number> {
  await writeFile(file, (await exportAs(world.app, tenant.administrator)).stream)
  const quiet = () => {}
  await importTenant(world.database, storage, file, await verifyTenantArchive(file, quiet), code, quiet)
  return world.look.count('select id from tenants where code = $1', [code])
}

test.skipIf(onCluster)(
  'a tenant that is imported begins the chain of its audit again, over the rows that came with it',
  async () => {
    const { tenant } = await seedTenant(world, await world.givenTenant(), 'of the source')
    await settleAudit(world.database, tenant.id)
    const id = await move(tenant, 'brought')
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

test.skipIf(onCluster)(
  'people keep their roles in projects, what they watch and whom they have mentioned, and find it all',
  async () => {
    const tenant = await world.givenTenant()
    const owner = await world.givenUser(tenant)
    const account = { username: 'vera', nickname: 'Vera', password: 'correct horse battery staple' }
    await world.as(tenant.administrator).create('/users', account)
    const viewer = await signIn(account, tenant.code)
    const { id: viewerId } = await viewer.read('/auth/me')
    const project = await world.givenProject(owner)
    ;(await world.as(owner).put(`/projects/${project.id}/members/${viewerId}`, { role: 'viewer' })).expect(200)
    const task = await world.givenTask(owner, project, { title: 'Unmistakable' })
    const comments = `/tasks/${task.id}/comments`
    const { id } = await world.as(owner).create(comments, { content: 'Frist' })
    ;(await world.as(owner).put(`${comments}/${id}`, { content: 'First', mentions: [viewerId] })).expect(200)
    ;(await viewer.put(`/tasks/${task.id}/watch`)).expect(200)
    const before = await until(() => seenBy(viewer))

    await move(tenant, 'moved')
    const moved = await signIn(account, 'moved')

    expect(await until(() => seenBy(moved))).toEqual(before)
    const comment = { content: 'First', editedAt: expect.any(String), mentions: [{ name: 'Vera' }] }
    expect(before).toMatchObject({ role: 'viewer', watched: [{ title: 'Unmistakable' }], comments: [comment] })
    const [watched] = await moved.read('/users/me/watching')
    const change = { version: 0, title: 'Mine' }
    ;(await moved.put(`/tasks/${watched.resourceId}`, change)).expect(403, 'PROJECT_READ_ONLY')
  },
)

async function signIn({ username, password }: { username: string; password: string }, tenantCode: string) {
  const session = (await world.anyone.post('/auth/login', { username, password, tenantCode })).expect(200)
  return world.as({ token: session.accessToken })
}

/** What somebody sees of the one project that they are in, but for ids; it throws while the index of the search is behind. */
async function seenBy(person: Client) {
  const get = (path: string) => person.read(path)
  const [project] = await get('/projects')
  const [watched] = await get('/users/me/watching')
  const [found] = await get('/search?q=unmistakable&types=task')
  const seen = {
    role: project.myRole,
    watched: [watched],
    found: [found],
    comments: await get(`/tasks/${found.id}/comments`),
  }
  return JSON.parse(JSON.stringify(seen, (key, value) => (/id$/i.test(key) ? undefined : value)))
}
