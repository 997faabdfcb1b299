import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/data/setup/migrate.ts'
import { knownMigrations, OWN_MIGRATIONS } from '../../src/data/setup/migrations.ts'
import { createPlainDatabase, type Inspector, openInspector } from '../support/database.ts'

/** What migrations make of people who were there before them. */
const LAST_BEFORE = '0038'
const [OPEN, CLOSED] = [7, 8]
const silent = { info() {}, warn() {}, error() {} }

let look: Inspector
let url: string
beforeAll(async () => {
  url = await createPlainDatabase()
  look = await openInspector(url)
  const own = await knownMigrations([OWN_MIGRATIONS])
  const before = new Set(own.map(({ name }) => name).filter((name) => name.slice(0, 4) <= LAST_BEFORE))
  await migrate(url, silent, [OWN_MIGRATIONS], { restoring: before })
  for (const [tenant, registration] of [
    [OPEN, 'open'],
    [CLOSED, 'closed'],
  ] as const) {
    await look.rows(`insert into tenants (id, name, code, plan, registration) values ($1, $2, $2, 'x', $3)`, [
      tenant,
      `t${tenant}`,
      registration,
    ])
    await look.rows(
      `insert into roles (tenant_id, id, code, name) values ($1, 1, 'user', 'U'), ($1, 2, 'tenant-admin', 'A')`,
      [tenant],
    )
    await givenPerson(tenant, 1, 'old', '2020-01-01', 1)
    await givenPerson(tenant, 2, 'old administrator', '2020-01-01', 2)
    await givenPerson(tenant, 3, 'made by an administrator', '2026-02-01', 1)
    await givenPerson(tenant, 4, 'registered', '2026-02-01', 1)
    await givenPerson(tenant, 5, 'registered and promoted', '2026-02-01', 2)
    await givenAudit(tenant, 3, '/api/v1/auth/login', 200, '2026-01-01')
    await look.rows(`insert into sign_in_networks values ($1, 3, 'a', '2026-03-01'), ($1, 3, 'b', '2026-03-02')`, [
      tenant,
    ])
    for (const id of [4, 5]) {
      await givenAudit(tenant, id, '/api/v1/auth/register', 201, '2026-02-01')
      await givenAudit(tenant, id, '/api/v1/auth/login', 200, '2026-02-02')
    }
    await look.rows("update users set email = 'Old@Example.com' where tenant_id = $1 and id = 1", [tenant])
    await givenDeleted(tenant, 9, 'gone')
    await givenNamed(tenant, 3, 'made by an administrator')
    await givenAudit(tenant, null, '/api/v1/auth/register', 409, '2026-02-01')
  }
  await migrate(url, silent, [OWN_MIGRATIONS])
})
afterAll(() => look?.close())

async function givenPerson(tenant: number, id: number, username: string, since: string, role: number) {
  await look.rows(
    `insert into users (tenant_id, id, username, password_hash, created_at) values ($1, $2, $3, '-', $4)`,
    [tenant, id, username, since],
  )
  await look.rows(`insert into user_roles (tenant_id, user_id, role_id) values ($1, $2, $3)`, [tenant, id, role])
}

async function givenAudit(tenant: number, userId: number | null, route: string, status: number, at: string) {
  await look.rows(
    `insert into audit_operations (tenant_id, request_id, user_id, method, path, route, status, duration, ip, user_agent, created_at)
     values ($1, 'r', $2, 'POST', $3, $3, $4, 1, '', '', $5)`,
    [tenant, userId, route, status, at],
  )
}

/** A person as releases of before have deleted them, with a comment. */
async function givenDeleted(tenant: number, id: number, username: string) {
  await givenPerson(tenant, id, username, '2026-01-05', 1)
  await look.rows(
    `with article as (
       insert into articles (tenant_id, title, content, date, status, tags, created_at, updated_at)
       values ($1, 'x', '{}', now(), 'published', '{}', now(), now()) returning id)
     insert into comments (tenant_id, article_id, user_id, username, content, created_at) select $1, id, $2, $3, 'x', now() from article`,
    [tenant, id, username],
  )
  await look.rows(
    `update users set deleted_at = now(), status = 'disabled', nickname = 'Nick', look = $3, skeleton = $3, nickname_skeleton = 'n'
      where tenant_id = $1 and id = $2`,
    [tenant, id, username],
  )
}

/** What releases of before named a person in: a title, a byline and a comment; and a byline that was typed by hand. */
async function givenNamed(tenant: number, id: number, username: string) {
  const facts = { name: username, from: '2026-01-01' }
  for (const [table, more, value] of [
    ['notifications', 'receiver_id, event_id, created_at', '1, 1, now()'],
    ['outbox', 'receivers, created_at', `'{1}', now()`],
  ])
    await look.rows(
      `insert into ${table} (tenant_id, type, title, facts, resource_type, resource_id, ${more})
       values ($1, 'SUBSTITUTE_FOR', 'You decide for ' || $3, $4, 'user', $2, ${value})`,
      [tenant, id, username, facts],
    )
  for (const author of [username, 'The editors'])
    await look.rows(
      `insert into articles (tenant_id, title, author, writer_id, content, date, status, tags, created_at, updated_at)
       values ($1, 'named', $3, $2, '{}', now(), 'published', '{}', now(), now())`,
      [tenant, id, author],
    )
  await look.rows(
    `insert into comments (tenant_id, article_id, user_id, username, content, created_at)
     select $1, max(id), $2, $3, 'x', now() from articles where tenant_id = $1`,
    [tenant, id, username],
  )
}

const marked = async (tenant: number) =>
  (await look.rows(`select username from users where tenant_id = $1 and self_registered order by id`, [tenant])).map(
    ({ username }) => username,
  )

describe('people who registered before the mark was there', () => {
  test('are known by the audit; of those who are older, an open tenant takes the plain users for strangers', async () => {
    expect(await marked(OPEN)).toEqual(['old', 'registered', 'registered and promoted'])
    expect(await marked(CLOSED)).toEqual(['registered', 'registered and promoted'])
  })

  test('and anyone who registers with a release that does not know the mark gets it from the audit row', async () => {
    await givenPerson(CLOSED, 6, 'late', '2026-03-01', 1)
    await givenAudit(CLOSED, 6, '/api/v1/auth/register', 201, '2026-03-01')
    await givenPerson(CLOSED, 7, 'invited', '2026-03-01', 1)
    await givenAudit(CLOSED, 7, '/api/v1/auth/login', 200, '2026-03-01')
    expect(await marked(CLOSED)).toEqual(['registered', 'registered and promoted', 'late'])
  })
})

test('of people who signed in before it was kept, the last time is the last that is known', async () => {
  const known = await look.rows(
    `select tenant_id::int, user_id::int, signed_in_at::date::text as day from last_sign_ins order by 1`,
  )
  expect(known).toEqual([OPEN, CLOSED].map((tenant) => ({ tenant_id: tenant, user_id: 3, day: '2026-03-02' })))
})

describe('people who were deleted by a release that kept their names', () => {
  const names = `select u.username, nickname, look, skeleton, nickname_skeleton, c.username as commenter
    from users u join comments c on c.tenant_id = u.tenant_id and c.user_id = u.id where u.tenant_id = $1 and u.id = $2`
  const nobody = (id: number) => ({
    ...{ username: '', nickname: null, look: `\u0001${id}`, skeleton: `\u0001${id}`, nickname_skeleton: null },
    commenter: '',
  })

  test('are named by no row after the migration', async () => {
    for (const tenant of [OPEN, CLOSED]) expect(await look.rows(names, [tenant, 9])).toEqual([nobody(9)])
  })

  test('nor are those whom such a release deletes beside this one', async () => {
    await givenPerson(OPEN, 10, 'late leaver', '2026-03-01', 1)
    await givenDeleted(OPEN, 11, 'latest leaver')
    expect(await look.rows(names, [OPEN, 11])).toEqual([nobody(11)])
    expect(await look.rows(`select username from users where tenant_id = $1 and id = 10`, [OPEN])).toEqual([
      { username: 'late leaver' },
    ])
  })
})

test('no row names people any more, but for the bylines that were typed by hand', async () => {
  for (const tenant of [OPEN, CLOSED]) {
    const told = { title: 'You decide for somebody', facts: { from: '2026-01-01' } }
    for (const table of ['notifications', 'outbox'])
      expect(await look.rows(`select title, facts from ${table} where tenant_id = $1`, [tenant])).toEqual([told])
    const bylines = `select author from articles where tenant_id = $1 and title = 'named' order by id`
    expect(await look.rows(bylines, [tenant])).toEqual([{ author: null }, { author: 'The editors' }])
    expect(await look.rows(`select username from comments where tenant_id = $1 and user_id = 3`, [tenant])).toEqual([
      { username: '' },
    ])
  }
})

test('the addresses of people from before are found in any case, and so are those that an older release writes', async () => {
  const keys = () => look.rows('select email_key from users where email is not null order by tenant_id, id')
  expect(await keys()).toEqual([{ email_key: 'old@example.com' }, { email_key: 'old@example.com' }])
  await look.rows("update users set email = 'New@Example.com' where tenant_id = $1 and id = 1", [OPEN])
  expect(await keys()).toEqual([{ email_key: 'new@example.com' }, { email_key: 'old@example.com' }])
})
