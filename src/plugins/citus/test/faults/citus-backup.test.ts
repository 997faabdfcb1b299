import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { proveIsolation } from '#atrium'
import { atrium } from '#test/cli.ts'
import { createOnCluster } from '#test/cluster.ts'
import { createPlainDatabase, openInspector } from '#test/database.ts'
import { newFolder } from '#test/folder.ts'
import { databaseOn, TEST_CITUS } from '#test/servers.ts'
import { startProcess } from '#test/service.ts'
import { foundCompanies } from '#test/workload.ts'
import { administer } from '../../../../../tools/throwaway.ts'
import { serviceRoleOf } from '../../../../data/setup/service-role.ts'

/** The owner of the tables is no superuser, so their policies hold for it too, on every node. */
describe.skipIf(!TEST_CITUS)('a plain owner of a database on a cluster of Citus', () => {
  const dir = newFolder()
  const at = (url: string) => ({ env: { DATABASE_URL: url, FILE_STORAGE_ROOT: join(dir, new URL(url).pathname) } })

  /** @returns the superuser's URL and the owner's */
  async function givenCluster() {
    const url = await createOnCluster()
    const name = new URL(url).pathname.slice(1)
    const [owner, role] = [`owner_${name}`, serviceRoleOf(name)]
    for (const server of inject('servers'))
      await administer(
        databaseOn(server, name),
        `set citus.enable_ddl_propagation to off; set citus.enable_alter_database_owner to off;
         create role ${owner} login password 'secret'; create role ${role} login noinherit; grant ${role} to ${owner};
         alter database ${name} owner to ${owner}`,
      )
    return { url, own: Object.assign(new URL(url), { username: owner, password: 'secret' }).href }
  }

  const TABLES = `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    and relname not in ('schema_migrations', 'citus_tables', 'invalidations') order by 1`
  async function countsOf(url: string) {
    const look = await openInspector(url)
    const counts: Record<string, number> = {}
    for (const { name } of await look.rows<{ name: string }>(TABLES))
      counts[name] = await look.count(`select count(*) from ${name}`)
    return counts
  }

  test('backs up the rows of all tenants, and restores them on a cluster and elsewhere', async () => {
    const source = await givenCluster()
    const service = await startProcess({ databaseUrl: source.own })
    await foundCompanies(service.remote, 6)
    await service.end('SIGTERM')
    const counts = await countsOf(source.url)
    expect(counts.users).toBeGreaterThan(12)

    const archive = join(dir, 'backup.tar')
    expect(await atrium(`backup ${archive}`, at(source.own))).toMatchObject({ code: 0 })

    const elsewhere = await createPlainDatabase()
    expect(await atrium(`restore ${archive}`, at(elsewhere))).toMatchObject({ code: 0 })
    expect(await countsOf(elsewhere)).toEqual(counts)

    const target = await givenCluster()
    expect(await atrium(`restore ${archive}`, at(target.own))).toMatchObject({ code: 0 })
    expect(await countsOf(target.url)).toEqual(counts)
    await proveIsolation(target.own, serviceRoleOf(new URL(target.url).pathname.slice(1)))
  })
})
