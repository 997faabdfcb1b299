import { parse } from 'csv-parse/sync'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { onLoopback } from '#test/on-loopback.ts'
import { until } from '#test/patience.ts'
import { openWorld } from '#test/world.ts'
import { CSV, streamOf } from './tables.ts'

/** More bytes than all buffers on the way hold. */
const ROWS = 3000
const BYTES = 8000
const world = await openWorld()

const tenant = await world.givenTenant()
const owner = await world.givenUser(tenant)
const project = await world.givenProject(owner)
const path = `/projects/${project.id}/tasks`
await world.look.rows(
  `insert into tasks (tenant_id, project_id, title, description, assignee_id, reporter_id, created_at, updated_at)
   select $1, $2, 'Task ' || n, repeat('x', $4), $3, $3, now(), now() from generate_series(1, $5::int) n`,
  [tenant.id, project.id, owner.id, BYTES, ROWS],
)

/** The sessions of PostgreSQL that hold the place of somebody's table. */
const HOLDERS = `select l.pid from pg_locks l join pg_database d on d.oid = l.database
  where l.locktype = 'advisory' and d.datname = current_database()`
const holders = async () => (await world.look.rows<{ pid: number }>(HOLDERS)).map(({ pid }) => pid)
/** The server knows it a moment before the service. */
const isFree = () =>
  until(async () => (await holders()).length === 0 && (await world.as(owner).get('/projects', CSV)).status === 200)

describe('while a table is read slowly', () => {
  test('its moment stays, and its person gets no other one', async () => {
    const slow = await streamOf(world.app, owner, path)
    ;(await world.as(owner).get('/projects', CSV)).expect(409, 'BUSY')
    ;(await world.as(owner).get('/projects')).expect(200)
    ;(await world.as(tenant.administrator).get('/projects', CSV)).expect(200)
    const oldest = (await world.as(owner).get(`${path}?sort=id&pageSize=2`)).expect(200)
    ;(await world.as(owner).put(`/tasks/${oldest[0].id}`, { version: 0, title: 'Changed' })).expect(200)
    await world.look.rows('delete from tasks where tenant_id = $1 and id = $2', [tenant.id, oldest[1].id])
    await world.givenTask(owner, project, { title: 'New' })
    await world.look.rows(`update users set nickname = 'Renamed' where tenant_id = $1 and id = $2`, [
      tenant.id,
      owner.id,
    ])

    const rows = parse(await textOf(slow.stream), { columns: true }) as Record<string, string>[]
    expect(rows.length).toBe(ROWS)
    expect(rows.slice(-2).map(({ title }) => title)).toEqual(['Task 2', 'Task 1'])
    expect(new Set(rows.map(({ reporterName }) => reporterName)).has('Renamed')).toBe(false)
    const after = parse((await world.as(owner).get(`${path}?sort=-id`, CSV)).expect(200), { columns: true })
    const seen = (after as Record<string, string>[]).map(({ title, reporterName }) => `${title} of ${reporterName}`)
    expect([seen.length, seen[0], seen.at(-1)]).toEqual([ROWS, 'New of Renamed', 'Changed of Renamed'])
  })

  test('no other process sends its person one', async () => {
    const slow = await streamOf(world.app, owner, path)
    const [pid] = await holders()
    const key = `table ${tenant.id}/${owner.id}`
    const [lock] = await world.look.rows<{ held: boolean }>(
      'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as held',
      [key],
    )
    expect({ pid, lock }).toEqual({ pid: expect.any(Number), lock: { held: false } })
    slow.response.raw.res.destroy()
    await isFree()
  })

  test('who reads it has to take more than others', async () => {
    const hurry = vi.spyOn(world.app.slowReaders, 'hurry')
    onTestFinished(() => hurry.mockRestore())
    ;(await world.as(owner).get('/projects', CSV)).expect(200)
    expect(hurry).toHaveBeenCalledOnce()
  })

  test('it ends with its reader, who can then ask for another one', async () => {
    const { response } = await streamOf(world.app, owner, path)
    await expect.poll(holders).toHaveLength(1)
    response.raw.res.destroy()
    await isFree()
  })

  test('tables that were sent give no more places back than they took: one tenant has half of them', async () => {
    const readers = [owner, tenant.administrator, await world.givenUser(tenant, 'tenant-admin')] as const
    for (let sent = 0; sent < 8; sent++) (await world.as(readers[sent % 3]!).get('/projects', CSV)).expect(200)
    const slow = [await streamOf(world.app, readers[0], path), await streamOf(world.app, readers[1], path)]
    ;(await world.as(readers[2]).get(path, CSV)).expect(503)
    for (const { response } of slow) response.raw.res.destroy()
    await isFree()
  })

  test('the connection of the database breaks: what has arrived is not whole, and cannot be taken for it', async () => {
    const server = await onLoopback(world.app.server as never)
    onTestFinished(() => server.close())
    const answer = await fetch(`${server.url}/api/v1${path}`, {
      headers: { ...CSV, authorization: `Bearer ${owner.token}` },
    })
    const reader = answer.body!.getReader()
    const chunks = [(await reader.read()).value!]
    for (const pid of await holders()) await world.look.rows('select pg_terminate_backend($1)', [pid])
    const broken = await readOn().catch((error) => error)

    expect(broken).toBeInstanceOf(Error)
    const text = Buffer.concat(chunks).toString()
    expect(text.startsWith('id,projectId,')).toBe(true)
    expect(text.endsWith('\r\n')).toBe(false)
    await isFree()

    async function readOn() {
      for (;;) {
        const { value, done } = await reader.read()
        if (done) return
        chunks.push(value)
      }
    }
  })

  test('its person loses the permission: it ends early', async () => {
    const role = await world.givenRole(tenant, ['project:list'])
    const reader = await world.givenUser(tenant, role)
    await world.givenMember(owner, project, reader)
    const slow = await streamOf(world.app, reader, path)
    ;(await world.as(tenant.administrator).put(`/users/${reader.id}`, { status: 'disabled' })).expect(200)
    await expect(textOf(slow.stream)).rejects.toThrow()
    await isFree()
  })
})

async function textOf(stream: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(stream)).join('')
}
