import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testConfig } from '#test/config.ts'
import { onEachServer } from '#test/database.ts'
import { until } from '#test/patience.ts'
import { type RedisServer, redisIsHere, startRedis } from '#test/redis.ts'
import { seedTenant } from '#test/samples.ts'
import { givenFolder } from '#test/uploads.ts'
import { openWorld, type World } from '#test/world.ts'
import { openStorage, type Storage } from '../../../domains/files/files.ts'
import { eraseDueTenants } from '../portability.ts'

/** What an erased tenant leaves below the tables: in the files of PostgreSQL, in the folder of files, in Redis, in the metrics. */
const CANARY = 'canary-of-the-traceless-7e41'
const folder = givenFolder()
const usesRedis = redisIsHere()
let world: World
let storage: Storage
let redis: RedisServer | undefined
beforeAll(async () => {
  redis = usesRedis ? await startRedis() : undefined
  world = await openWorld({ env: { FILE_STORAGE_ROOT: folder.root }, ...(redis && { redisUrl: redis.url }) })
  storage = await openStorage(testConfig({ FILE_STORAGE_ROOT: folder.root }).files)
})
afterAll(async () => {
  storage?.close()
  await world.close()
  await redis?.stop()
  folder.remove()
})

/** The files below a folder that hold the text. One that goes away during the search holds none. */
function filesWith(text: string, root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      try {
        return readFileSync(path).includes(text)
      } catch {
        return false
      }
    })
}
/** The folders of the database, one on each server. The embedded server knows its own by `/proc/self/cwd`. */
async function databaseFolders(): Promise<string[]> {
  const at = `select replace(current_setting('data_directory'), '/self/', '/' || p.pid || '/') || '/base/' || d.oid as path
    from pg_database d, pg_stat_activity p where d.datname = current_database() and p.backend_type = 'checkpointer'`
  return (await onEachServer<{ path: string }>(world.databaseUrl, at)).map(({ path }) => realpathSync(path))
}

const filesOfDatabase = (paths: string[]) => paths.flatMap((path) => filesWith(CANARY, path))

test('after an erasure and VACUUM FULL no byte of the tenant is left in the files of the database, nor in its own', async () => {
  const { tenant } = await seedTenant(world, await world.givenTenant(), CANARY)
  const paths = await databaseFolders()
  await onEachServer(world.databaseUrl, 'checkpoint')
  expect(filesOfDatabase(paths).length).toBeGreaterThan(10)
  expect(filesWith(CANARY, folder.root).length).toBeGreaterThan(0)

  ;(await world.as(world.admin).post(`/tenants/${tenant.id}/close`)).expect(200)
  await world.look.rows(`update tenants set erase_at = now() - interval '1 second' where id = $1`, [tenant.id])
  await eraseDueTenants(world.database, storage)
  // A transaction that began before, such as one of autovacuum, keeps rows from being removed.
  await until(async () => {
    await onEachServer(world.databaseUrl, 'vacuum (full, analyze)')
    await onEachServer(world.databaseUrl, 'checkpoint')
    expect(filesOfDatabase(paths)).toEqual([])
  })
  expect(filesWith(CANARY, folder.root)).toEqual([])
  // The values in Redis are words of ours and random places; only its keys name anything.
  if (redis) expect(await redis.ask('KEYS *')).not.toContain(CANARY)
  expect((await world.app.inject('/metrics')).body).not.toContain(CANARY)
})
