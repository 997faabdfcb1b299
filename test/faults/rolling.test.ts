import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { knownMigrations, OWN_MIGRATIONS } from '../../src/data/setup/migrations.ts'
import { enableTriggers } from '../support/database.ts'
import { skippedOnCluster } from '../support/servers.ts'
import { openWorld, type Tenant, type World } from '../support/world.ts'

/**
 * Two releases on one database, as during an update. The statements below are those of a release that is older than a
 * column: it neither reads nor writes it.
 */
const onCluster = skippedOnCluster('older releases', 'they never ran on a cluster, which has none of their triggers')
let world: World
let tenant: Tenant
beforeAll(async () => {
  world = await openWorld()
  await enableTriggers(world.look)
  tenant = await world.givenTenant()
})
afterAll(() => world?.close())

const editor = () => world.as(tenant.administrator)
const givenArticle = async () => (await editor().post('/content/articles', { title: 'First' })).expect(201).id

/** Changes an article as a release did that knew of no version. */
const changeAsBefore = (id: number, title: string) =>
  world.look.rows(`update articles set title = $3, updated_at = now() where tenant_id = $1 and id = $2`, [
    tenant.id,
    id,
    title,
  ])

describe.skipIf(onCluster)('an article that is changed through the release of before', () => {
  test('is not written over by anyone who has read it earlier', async () => {
    const path = `/content/articles/${await givenArticle()}`
    const read = await editor().get(path)

    await changeAsBefore(read.expect(200).id, 'Changed by the other release')
    const late = await editor().put(path, { title: 'Late' }, { 'if-match': String(read.headers.etag) })

    late.expect(412)
    expect((await editor().get(path)).expect(200).title).toBe('Changed by the other release')
  })

  test('rises by one for each change, whichever release makes it', async () => {
    const id = await givenArticle()
    const version = () => world.look.count('select version from articles where id = $1', [id])
    expect(await version()).toBe(0)
    await changeAsBefore(id, 'Second')
    expect(await version()).toBe(1)
    ;(await editor().put(`/content/articles/${id}`, { title: 'Third' })).expect(200)
    expect(await version()).toBe(2)
  })

  test('is made by it with a version too', async () => {
    const rows = await world.look.rows(
      `insert into articles (tenant_id, title, date, created_at, updated_at) values ($1, 'Old', now(), now(), now()) returning id`,
      [tenant.id],
    )
    const read = await editor().get(`/content/articles/${rows[0]!.id}`)
    ;(
      await editor().put(
        `/content/articles/${rows[0]!.id}`,
        { title: 'New' },
        { 'if-match': String(read.headers.etag) },
      )
    ).expect(200)
  })
})

test.skipIf(onCluster)('every version that was added to a table that was there already rises by itself', async () => {
  const rising = await world.look.rows<{ name: string }>(`
    select tgrelid::regclass::text as name from pg_trigger where tgfoid = 'raise_version'::regproc`)
  const migrations = await knownMigrations([OWN_MIGRATIONS])
  const late = migrations.flatMap(({ sql }) =>
    [...sql.matchAll(/alter table (\w+)[^;]*\badd column version\b/g)].map(([, name]) => name!),
  )

  expect(late).toContain('articles')
  expect(rising.map(({ name }) => name)).toEqual(expect.arrayContaining(late))
})
