import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { newFolder } from '#test/folder.ts'
import { pngOf } from '#test/form.ts'
import { until } from '#test/patience.ts'
import { isHere } from '#test/plugins.ts'
import { openWorldWithFiles } from '#test/uploads.ts'
import type { Tenant } from '#test/world.ts'
import { openTenantRows } from '../archive/tenant-rows.ts'
import { exportAs, readArchive } from './archive.ts'

const NAME = 'A "quoted" name with \\ and 中文'
const DESCRIPTION = 'two\nlines\tand a \u0007 bell, a\u2028b\u2029c\u0085d'
/** How many rows each table had before the export, and after it. */
let counts: Record<string, number>
const picture = pngOf(5000)
/** Of their own. */
const WRITTEN_BY_EXPORTS = ['audit_operations']
const { world, upload } = await openWorldWithFiles()
const [tenant, other] = [await world.givenTenant(), await world.givenTenant()]

const project = await world.givenProject(tenant.administrator, { name: NAME })
await world.givenTask(tenant.administrator, project, { description: DESCRIPTION })
await world.givenProject(other.administrator, { name: 'Of the other tenant' })
await upload.file(tenant.administrator, { filename: 'picture.png', content: picture })
if (isHere('calendar')) (await world.as(tenant.administrator).post('/users/me/calendar-key')).expect(201)
// Jobs of the service write too: one export with none of that in between is compared.
const archive = await until(async () => {
  counts = await countsOf(tenant)
  const read = await readArchive((await exportAs(world.app, tenant.administrator)).stream)
  return isDeepStrictEqual(counts, await countsOf(tenant)) && read
})
async function countsOf({ id }: Tenant): Promise<Record<string, number>> {
  const tables = (await namesOfTables()).filter((name) => !WRITTEN_BY_EXPORTS.includes(name))
  const count = (name: string) =>
    `select '${name}' as name, count(*)::float8 as rows from ${name} where tenant_id = ${id}`
  const rows = await world.look.rows<{ name: string; rows: number }>(tables.map(count).join(' union all '))
  return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]))
}
async function namesOfTables(): Promise<string[]> {
  const tables = await world.look.rows<{ name: string }>(
    `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'tenant_id' and not a.attisdropped`,
  )
  return tables.map(({ name }) => name).sort()
}

describe('the export of a tenant', () => {
  test('has an entry for each table of tenants, those that nobody listed included', async () => {
    const found = [...archive.entries.keys()].flatMap((name) => /^tables\/(.*)\.ndjson$/.exec(name)?.[1] ?? [])
    expect(found.sort()).toEqual(await namesOfTables())
  })

  test('has every row of the tenant, and none of another', async () => {
    for (const [table, rows] of Object.entries(archive.manifest.rows)) {
      if (archive.entries.has(`shared/${table}.ndjson`)) continue
      const lines = archive.rows(table)
      expect(lines).toHaveLength(rows)
      expect(new Set(lines.map((row) => row.tenant_id).filter((id) => id !== tenant.id)), table).toEqual(new Set())
      const kept = archive.manifest.withheld[table]
      const isWhole = kept !== 'all rows' && !(kept as { rows?: string } | undefined)?.rows
      if (isWhole && table in counts) expect(rows, table).toBe(counts[table])
    }
  })

  test('keeps every character, and has none that some programs take for the end of a line', async () => {
    for (const [name, bytes] of archive.entries)
      if (name !== `files/${archive.rows('files')[0]!.filename}`)
        expect(bytes.toString(), name).not.toMatch(/[\u0085\u2028\u2029]/)
    expect(archive.rows('projects')).toMatchObject([{ name: NAME, tenant_id: tenant.id }])
    expect(archive.rows('tasks')).toMatchObject([{ description: DESCRIPTION }])
  })

  test('has the bytes of the files', () => {
    const [file] = archive.rows('files')
    expect(archive.entries.get(`files/${file!.filename}`)).toEqual(picture)
    expect(archive.manifest.files).toEqual({ deleted: [], damaged: [] })
  })

  test('takes password hashes along, keeps secrets back that can be used, and says so', () => {
    expect(archive.rows('users')[0]!.password_hash).toBe('-')
    const ofPlugins = { calendar: 'calendar_keys', keys: 'api_keys', 'second-factor': 'second_factors' }
    const here = Object.entries(ofPlugins).flatMap(([plugin, table]) => (isHere(plugin) ? table : []))
    for (const table of ['sessions', 'refresh_tokens', ...here]) {
      expect(archive.rows(table), table).toEqual([])
      expect(archive.manifest.withheld[table]).toBe('all rows')
    }
    if (isHere('invitations'))
      expect(archive.manifest.withheld.invitations).toEqual({ columns: ['token_hash', 'mailed_token_hash'] })
  })

  test('is a tar that the tar of this machine reads', async () => {
    const dir = newFolder()
    const { stream, headers } = await exportAs(world.app, tenant.administrator)
    writeFileSync(join(dir, 'it.tar'), await stream.toArray().then(Buffer.concat))
    execFileSync('tar', ['xf', 'it.tar'], { cwd: dir })
    execFileSync('sha256sum', ['--check', 'manifest.json.sha256'], { cwd: dir })
    expect(JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')).tenant.code).toBe(tenant.code)
    expect(headers).toMatchObject({
      'content-type': 'application/x-tar',
      'content-disposition': expect.stringMatching(/^attachment; filename="tenant-\d+-\d{4}-\d\d-\d\d\.tar"$/),
      'cache-control': 'no-store',
    })
  })

  test('of another tenant is for the system administrator, in its name', async () => {
    const named = { 'x-tenant-code': other.code }
    const mine = await readArchive((await exportAs(world.app, tenant.administrator, named)).stream)
    expect(mine.manifest.tenant.code).toBe(tenant.code)
    const theirs = await readArchive((await exportAs(world.app, world.admin, named)).stream)
    expect(theirs.manifest.tenant.code).toBe(other.code)
    expect(theirs.rows('projects')).toMatchObject([{ name: 'Of the other tenant' }])
  })

  test('of one that is closed is for the system administrator alone', async () => {
    const { id, code, administrator } = await world.givenTenant()
    await world.givenProject(administrator, { name: 'Kept' })
    ;(await world.as(world.admin).post(`/tenants/${id}/close`)).expect(200)
    const kept = await readArchive((await exportAs(world.app, world.admin, { 'x-tenant-code': code })).stream)
    expect(kept.manifest.tenant).toMatchObject({ code, status: 'closing' })
    expect(kept.rows('projects')).toMatchObject([{ name: 'Kept' }])
    expect((await exportAs(world.app, administrator)).status).toBe(403)
  })
})

describe('while an export is read slowly', () => {
  test('a second one of the tenant is refused, one of another is not; and its moment stays', async () => {
    const { administrator } = await givenLargeTenant()
    const slow = await exportAs(world.app, administrator)
    ;(await world.as(administrator).get('/tenant/export')).expect(409, 'EXPORT_RUNNING')
    expect((await readArchive((await exportAs(world.app, other.administrator)).stream)).manifest.tenant.id).toBe(
      other.id,
    )
    await world.givenProject(administrator)

    expect((await readArchive(slow.stream)).rows('projects')).toHaveLength(1)
    const next = await readArchive((await exportAs(world.app, administrator)).stream)
    expect(next.rows('projects')).toHaveLength(2)
  })

  test('asking for it again and again takes no place of another tenant', async () => {
    const greedy = (await givenLargeTenant()).administrator
    const slow = await exportAs(world.app, greedy)
    const asking = Array.from({ length: 8 }, () => world.as(greedy).get('/tenant/export'))
    const theirs = await exportAs(world.app, other.administrator)
    expect(theirs.status).toBe(200)
    await readArchive(theirs.stream)
    for (const refused of await Promise.all(asking)) refused.expect(409, 'EXPORT_RUNNING')
    slow.response.raw.res.destroy()
  })

  test('no other process exports the same tenant', async () => {
    const first = await openTenantRows(world.database, other.id)
    const second = await openTenantRows(world.database, other.id)
    await first!.close()
    const third = await openTenantRows(world.database, other.id)
    await third?.close()

    expect([second, third]).toEqual([undefined, expect.anything()])
  })

  test('who reads an export has to take more than others', async () => {
    const hurry = vi.spyOn(world.app.slowReaders, 'hurry')
    onTestFinished(() => hurry.mockRestore())
    await readArchive((await exportAs(world.app, other.administrator)).stream)
    expect(hurry).toHaveBeenCalledOnce()
  })

  test('its person loses the permission: it ends early', async () => {
    const large = await givenLargeTenant()
    const reader = await world.givenUser(large, 'tenant-admin')
    const { status, stream } = await exportAs(world.app, reader)
    expect(status).toBe(200)
    ;(await world.as(large.administrator).put(`/users/${reader.id}`, { status: 'disabled' })).expect(200)
    await expect(stream.toArray()).rejects.toThrow()
    await until(async () => (await world.as(large.administrator).get('/tenant/export')).status === 200)
  })

  test('its token expires: it goes on', async () => {
    const { id, administrator } = await givenLargeTenant()
    const { stream } = await exportAs(world.app, administrator)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
    onTestFinished(() => void vi.useRealTimers())
    ;(await world.as(administrator).get('/auth/me')).expect(401)
    expect((await readArchive(stream)).manifest.tenant.id).toBe(id)
  })

  test('it ends with its reader', async () => {
    const { administrator } = await givenLargeTenant()
    const { response } = await exportAs(world.app, administrator)
    const open = () =>
      world.look.count(
        `select count(*) from pg_locks l join pg_database d on d.oid = l.database
          where l.locktype = 'advisory' and d.datname = current_database()`,
      )
    await expect.poll(open).toBe(1)
    response.raw.res.destroy()
    await expect.poll(open).toBe(0)
    await expect.poll(async () => (await world.as(administrator).get('/tenant/export')).status).toBe(200)
  })
})

/** A tenant whose archive is larger than all buffers on the way. */
async function givenLargeTenant(): Promise<Tenant> {
  const large = await world.givenTenant()
  const project = await world.givenProject(large.administrator)
  await world.look.rows(
    `insert into tasks (tenant_id, project_id, title, description, reporter_id, created_at, updated_at)
     select $1, $2, 'Task ' || n, repeat('x', 8000), $3, now(), now() from generate_series(1, 1000) n`,
    [large.id, project.id, large.administrator.id],
  )
  return large
}
