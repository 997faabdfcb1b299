import pg from 'pg'
import pino from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { DISTRIBUTING, FIRST_TENANT, proveIsolation } from '#atrium'
import { atriumHere } from '#test/cli-here.ts'
import { createOnCluster } from '#test/cluster.ts'
import { testConfig } from '#test/config.ts'
import { createPlainDatabase, type Inspector, openInspector } from '#test/database.ts'
import { TEST_CITUS } from '#test/servers.ts'
import { migrate } from '../../../data/setup/migrate.ts'
import { OWN_MIGRATIONS } from '../../../data/setup/migrations.ts'
import { serviceRoleOf } from '../../../data/setup/service-role.ts'
import { prepareDatabase } from '../../../start.ts'
import { findClusterAt, unfitness, urlOfNode } from '../setup/cluster.ts'
import { findHome, isolateTenant, moveTenant } from '../setup/move-tenant.ts'

/** How tables are distributed, on the cluster that TEST_CITUS names, or on a stand-in that refuses what Citus refuses. */
const LABELS = new URL('../../../../examples/labels/migrations/', import.meta.url)

/** A migrated database with the rows of a first start, in which Citus was turned on later. */
async function givenFilled() {
  const url = await createOnCluster(async (url) => (await prepareDatabase(testConfig(), url, SILENT)).database.close())
  return { url, look: await openInspector(url) }
}
const SILENT = pino({ level: 'silent' })

/** Interrupted before the step of this number. */
const distribute = (url: string, until = Number.POSITIVE_INFINITY) =>
  migrate(url, SILENT, [OWN_MIGRATIONS], {
    distribute: (_, done) => {
      if (done >= until) throw new Error('killed')
    },
  })

async function countsOf(look: Inspector) {
  const tables = await look.rows<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  const counts = tables.map(async ({ name }) => [name, await look.count(`select count(*) from ${name}`)] as const)
  return Object.fromEntries(await Promise.all(counts))
}

const KEYS = `select conrelid::regclass::text as table, conname, pg_get_constraintdef(f.oid) as is
  from pg_constraint f join pg_class c on c.oid = f.conrelid where connamespace = 'public'::regnamespace and contype in ('f', 'p', 'u') order by 1, 2`

describe('a filled database is moved to the workers', () => {
  let filled: Awaited<ReturnType<typeof givenFilled>>
  let before: { counts: Record<string, number>; keys: unknown[] }
  beforeAll(async () => {
    filled = await givenFilled()
    before = { counts: await countsOf(filled.look), keys: await filled.look.rows(KEYS) }
  })

  test('and while that is interrupted, no service starts', async () => {
    await expect(distribute(filled.url, 10)).rejects.toThrow('killed')

    await expect(prepareDatabase(testConfig(), filled.url, SILENT)).rejects.toThrow(
      'Run it again: atrium citus distribute',
    )
  })

  test('again, it continues: each row, key and table is there, and where it belongs', async () => {
    const { url, look } = filled
    await distribute(url)

    const cluster = (await findClusterAt(url))!
    expect(cluster.isDistributed).toBe(true)
    expect(cluster.tables.filter(({ is }) => is === 'coordinator').map(({ name }) => name)).toEqual([
      'invalidations',
      'schema_migrations',
    ])
    expect(await countsOf(look)).toEqual(before.counts)
    expect(await look.rows(KEYS)).toEqual(before.keys)
    expect(await look.rows('select name from schema_migrations where name = $1', [DISTRIBUTING])).toEqual([])
  })

  test('and the command line and the doctor say so', async () => {
    const at = { env: { DATABASE_URL: filled.url } }
    expect(await atriumHere('citus status', at)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/coordinator[\s\S]*worker[\s\S]*organizations +distributed/),
    })
    const { out } = await atriumHere('doctor', at)
    expect(out).toMatch(/^ok {4}cluster +Citus .*: \d+ tables of tenants over \d+ nodes/m)
    expect(out).toMatch(/^ok {4}node .* worker$/m)
  })

  test('and isolation holds on every node', async () => {
    await expect(
      proveIsolation(filled.url, serviceRoleOf(new URL(filled.url).pathname.slice(1))),
    ).resolves.toBeUndefined()
  })

  test('a later migration with a new table puts it where it belongs, with its keys', async () => {
    const { url, look } = filled
    await migrate(url, SILENT, [OWN_MIGRATIONS, { name: 'labels', folder: LABELS }])

    const { tables } = (await findClusterAt(url))!
    const labels = tables.filter(({ name }) => name.includes('label'))
    expect(labels.length).toBeGreaterThan(0)
    for (const table of labels) expect(table.is).toBe('distributed')
    const keys = `select count(*) from pg_constraint where contype = 'f' and conrelid = any ($1::text[]::regclass[])`
    expect(await look.count(keys, [labels.map(({ name }) => name)])).toBeGreaterThan(0)
  })

  test.runIf(TEST_CITUS)('a shard that no longer forces its policy stops the start, which names it', async () => {
    const { url } = filled
    const { nodes } = (await findClusterAt(url))!
    const worker = nodes.find(({ holdsShards }) => holdsShards)!
    const there = new pg.Client({ connectionString: urlOfNode(url, worker) })
    await there.connect()
    await there.query('set citus.override_table_visibility = off; set citus.enable_manual_changes_to_shards = on')
    const { rows } = await there.query(
      `select relname as shard from pg_class where relname ~ '^tasks_[0-9]+$' and relkind = 'r' limit 1`,
    )
    await there.query(`alter table ${rows[0].shard} no force row level security`)

    await expect(proveIsolation(url, serviceRoleOf(new URL(url).pathname.slice(1)))).rejects.toThrow(
      `on ${worker.host}:${worker.port}: the shard ${rows[0].shard} does not force exactly the one policy`,
    )
    await there.query(`alter table ${rows[0].shard} force row level security`)
    await there.end()
  })

  test.runIf(TEST_CITUS)('a tenant that writes is isolated, and moved to another node: no row is lost', async () => {
    const { url, look } = filled
    const first = await findHome(url, FIRST_TENANT)
    const { nodes } = (await findClusterAt(url))!
    const target = nodes.find(({ holdsShards, id }) => holdsShards && id !== first.node.id)!
    const before = await look.count('select count(*) from contact_messages where tenant_id = 1')
    const writing = startWriting(url)

    await look.rows(
      `insert into tenants (name, code, plan, status) select n, n, 'standard', 'disabled' from (select 'near-' || i as n from generate_series(1, 20) i) t`,
    )
    expect((await findHome(url, FIRST_TENANT)).neighbours).toBeGreaterThan(0)
    const alone = await isolateTenant(url, FIRST_TENANT)
    expect(alone).toMatchObject({ neighbours: 0, node: first.node })
    const moved = await moveTenant(url, FIRST_TENANT, `${target.host}:${target.port}`)

    expect(moved).toMatchObject({ neighbours: 0, node: { id: target.id } })
    const written = await writing.stop()
    expect(written).toBeGreaterThan(0)
    expect(await look.count('select count(*) from contact_messages where tenant_id = 1')).toBe(before + written)
    await expect(proveIsolation(url, serviceRoleOf(new URL(url).pathname.slice(1)))).resolves.toBeUndefined()
  })
})

/** Writes rows of the first tenant one after the other, each in a transaction, until it is stopped. */
function startWriting(url: string) {
  let [isStopped, written] = [false, 0]
  const work = async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    while (!isStopped) {
      await client.query(
        `insert into contact_messages (tenant_id, name, email, message) values (1, 'n', 'n@example.com', 'm')`,
      )
      written++
    }
    await client.end()
  }
  const done = work()
  return {
    async stop() {
      isStopped = true
      await done
      return written
    },
  }
}

test('the command line says in one sentence where Citus is missing or too old', async () => {
  const plain = await createPlainDatabase()
  const on = (url: string) => ({ env: { DATABASE_URL: url } })

  expect(await atriumHere('citus distribute', on(plain))).toMatchObject({
    code: 1,
    err: expect.stringContaining(
      'Citus is not on in this database. As a superuser, on every node: create extension citus',
    ),
  })
  expect(unfitness({ version: '13.2', postgres: 18, nodes: [] })).toEqual({
    problem: 'Citus 13.2 on PostgreSQL 18 is too old',
    advice: 'PostgreSQL 18 and Citus 14 or newer are needed',
  })
  expect(unfitness({ version: '14.0', postgres: 17, nodes: [] })?.problem).toBe(
    'Citus 14.0 on PostgreSQL 17 is too old',
  )
})
