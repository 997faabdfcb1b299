import { beforeEach, describe, expect, test } from 'vitest'
import { atriumHere } from '#test/cli-here.ts'
import { obedient } from '#test/obedient.ts'
import { until } from '#test/patience.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'
import { indexNext } from '../indexing.ts'
import { indexed } from './indexed.ts'

/** The index: what it takes from before its events, what it misses and makes up for, and what it no longer holds. */
const world = await openWorld()
let tenant: Tenant
let boss: Person
let project: { id: number }
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
  project = await world.givenProject(boss)
})

const rows = (sql: string, ...values: unknown[]) => world.look.rows(sql, [tenant.id, ...values])
const found = async (q: string): Promise<string[]> =>
  (await obedient(world.as(boss)).get(`/search?q=${q}`)).expect(200).map(({ title }: any) => title)
const finds = (q: string, titles: string[]) =>
  until(async () => JSON.stringify(await found(q)) === JSON.stringify(titles))
const givenTask = (title: string) => world.givenTask(boss, project, { title })
/** As for somebody who has just switched the search on, or imported the tenant. */
async function forget() {
  // Without its cursor the index is built again, from the entries that are still there.
  for (const table of ['search_words', 'search_entries', 'search_cursors'])
    await rows(`delete from ${table} where tenant_id = $1`)
}
/** A task that no event tells of. */
const insertTask = (title: string) =>
  rows(
    `insert into tasks (tenant_id, project_id, title, reporter_id, created_at, updated_at)
     values ($1, $2, $3, $4, now(), now())`,
    project.id,
    title,
    boss.id,
  )

describe('the index', () => {
  test('holds what was there before the search was switched on', async () => {
    await givenTask('Pomegranate')
    await finds('pomegranate', ['Pomegranate'])
    await forget()
    await finds('pomegranate', ['Pomegranate'])
  })

  test('is built batch by batch, and meanwhile takes what happens', async () => {
    await rows(
      `insert into tasks (tenant_id, project_id, title, reporter_id, created_at, updated_at)
       select $1, $2, 'Walnut ' || n, $3, now(), now() from generate_series(1, 350) n`,
      project.id,
      boss.id,
    )
    await forget()
    await givenTask('Walnut of today')
    await finds('walnut to', ['Walnut of today'])
    await finds('walnut 349', ['Walnut 349'])
    await finds('walnut 1', (await found('walnut 1')).slice(0, 20))
    await indexed(world, tenant)
    const [row] = await rows(`select count(*) from search_words where tenant_id = $1 and word = 'walnut'`)
    expect(Number(row!.count)).toBe(351)
  })

  test('does not begin while its tenant is closed, and is built when that opens again', async () => {
    const setStatus = async (status: string) =>
      (await world.as(world.admin).put(`/tenants/${tenant.id}`, { status })).expect(200)
    await givenTask('Medlar')
    await finds('medlar', ['Medlar'])
    await setStatus('disabled')
    await forget()
    expect(await indexNext(world.database, tenant.id)).toBeUndefined()
    expect(await rows('select from search_cursors where tenant_id = $1')).toEqual([])
    await setStatus('active')
    await finds('medlar', ['Medlar'])
  })

  test('is built again where events were removed before it had read them', async () => {
    await indexed(world, tenant)
    await insertTask('Tamarind')
    // In this order: an event that the index is to have missed could be read again until it is removed.
    await rows('delete from events where tenant_id = $1')
    await rows('update search_cursors set last_event_id = last_event_id - 1 where tenant_id = $1')
    await finds('tamarind', ['Tamarind'])
  })

  test('is written again by a command, which removes what is there no more', async () => {
    await givenTask('Persimmon')
    await finds('persimmon', ['Persimmon'])
    await indexed(world, tenant)
    await insertTask('Persimmon pie')
    await rows(`insert into search_entries values ($1, 'task', 999999, '{ghost}', '{}', now())`)
    await rows(`insert into search_words values ($1, 'task', 'ghost', 1, 999999)`)
    expect(await found('persimmon')).toEqual(['Persimmon'])
    const { code, out } = await atriumHere(`search rebuild ${tenant.code}`, {
      env: { DATABASE_URL: world.databaseUrl },
    })
    expect({ code, out }).toEqual({ code: 0, out: `${tenant.code}: the index is complete.\n` })
    expect(await found('persimmon')).toHaveLength(2)
    expect(await rows(`select from search_words where tenant_id = $1 and word = 'ghost'`)).toEqual([])
    expect(await rows(`select from search_entries where tenant_id = $1 and resource_id = 999999`)).toEqual([])
  })

  test('has one row for each word of a thing, and those that a change removes are gone', async () => {
    const task = await givenTask('Fig, fig and date')
    await finds('fig', ['Fig, fig and date'])
    const words = async () =>
      (await rows(`select word from search_words where tenant_id = $1 and type = 'task' order by word`)).map(
        ({ word }) => word,
      )
    expect(await words()).toEqual(['and', 'date', 'fig'])
    ;(await world.as(boss).put(`/tasks/${task.id}`, { title: 'Date', version: task.version })).expect(200)
    await until(async () => (await words()).join() === 'date')
  })

  test('finds a renamed person by the new name, and nobody who has left', async () => {
    const person = await world.givenUser(tenant)
    ;(await world.as(person).put('/users/me', { nickname: 'Clementine' })).expect(200)
    await finds('clementine', ['Clementine'])
    ;(await world.as(boss).delete(`/users/${person.id}`)).expect(200)
    expect(await found('clementine')).toEqual([])
    await until(
      async () => (await rows(`select from search_words where tenant_id = $1 and word = 'clementine'`)).length === 0,
    )
  })
})
