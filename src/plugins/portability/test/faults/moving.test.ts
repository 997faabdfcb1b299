import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pino from 'pino'
import { expect, test } from 'vitest'
import { atrium } from '#test/cli.ts'
import { atriumHere } from '#test/cli-here.ts'
import { testConfig } from '#test/config.ts'
import { type Inspector, openInspector } from '#test/database.ts'
import { newFolder } from '#test/folder.ts'
import { HOLDS_FIGURES } from '#test/patience.ts'
import { isHere } from '#test/plugins.ts'
import { startOwnPostgres } from '#test/postgres.ts'
import type { Remote } from '#test/remote.ts'
import { startProcess } from '#test/service.ts'
import { startHere } from '#test/service-here.ts'
import { signIn as enter } from '#test/workload.ts'
import { configOf, withDatabase } from '../../../../../appliance/cli/workplace.ts'
import { entriesOf } from '../../../../data/archive/tar.ts'
import { openStorage } from '../../../../domains/files/storage/open-storage.ts'
import { eraseDueTenants } from '../../../../domains/tenants/tenants.ts'
import { prepareDatabase } from '../../../../start.ts'
import { MANIFEST, type TenantManifest } from '../../archive/tenant-archive.ts'

/**
 * A tenant moves from one installation to another while people work, and is erased in the first one. The long form:
 * MOVING_ROWS=1000000 MOVING_FILES=40 npm test -- --project faults moving
 */
const ROWS = Number(process.env.MOVING_ROWS ?? 3000)
const FILES = Number(process.env.MOVING_FILES ?? 3)
const FILE_BYTES = process.env.MOVING_FILES ? 50 * 2 ** 20 : 100_000
const MOST_GROWTH_MB = 200
const silent = pino({ level: 'silent' })
const PASSWORD = 'correct horse battery staple'

const dir = newFolder()
const archive = join(dir, 'acme.tar')
const roots = { source: join(dir, 'source'), target: join(dir, 'target') }

const postgres = await startOwnPostgres({ durable: false })
const prepared = await postgres.createDatabase()
const { database } = await prepareDatabase(testConfig(), prepared, silent)
await database.close()
const urls = { source: await postgres.createDatabase(prepared), target: await postgres.createDatabase(prepared) }
const [source, target] = [await openInspector(urls.source), await openInspector(urls.target)]
const service = await startProcess({ databaseUrl: urls.source, env: { FILE_STORAGE_ROOT: roots.source } })
const admin = await signIn(service.remote, 'admin', 'admin123', 'default')
const draft = {
  name: 'Acme',
  code: 'acme',
  plan: 'team',
  adminUsername: 'chief',
  adminPassword: PASSWORD,
  adminEmail: 'chief@acme.example',
}
const tenantId = (await admin.post('/tenants', draft)).expect(201).id
const chief = await signIn(service.remote, 'chief', PASSWORD, 'acme')
const key = { 'idempotency-key': 'the-project' }
const project = (await chief.post('/projects', { name: 'Large', code: 'LARGE' }, key)).expect(201)
await source.rows(
  `insert into tasks (tenant_id, project_id, title, description, reporter_id, created_at, updated_at)
   select $1, $2, 'Task ' || n, repeat('something to do ', 10), $3, now(), now() from generate_series(1, $4::int) n`,
  [tenantId, project.id, project.ownerId, ROWS / 2],
)
await source.rows(
  `insert into task_comments (tenant_id, task_id, author_id, content, created_at)
   select tenant_id, id, reporter_id, 'About ' || title, now() from tasks where tenant_id = $1`,
  [tenantId],
)
await giveFiles(project.ownerId)

async function signIn(remote: Remote, username: string, password: string, tenantCode: string) {
  const { client, person } = await enter(remote, tenantCode, username, password)
  return Object.assign(client, { token: person.token })
}

async function giveFiles(uploaderId: number) {
  mkdirSync(join(roots.source, String(tenantId)), { recursive: true })
  for (let at = 0; at < FILES; at++) {
    const bytes = Buffer.alloc(FILE_BYTES, `file ${at} `)
    const filename = `${createHash('md5').update(String(at)).digest('hex')}.pdf`
    writeFileSync(join(roots.source, String(tenantId), filename), bytes)
    await source.rows(
      `insert into files (tenant_id, filename, original_name, content_type, size, sha256, uploader_id, created_at)
       values ($1, $2, 'large.pdf', 'application/pdf', $3, $4, $5, now())`,
      [tenantId, filename, bytes.length, createHash('sha256').update(bytes).digest('hex'), uploaderId],
    )
  }
}

const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Changes the tenant until the returned function is called, which resolves with the number of changes. */
function startWriting(chief: Awaited<ReturnType<typeof signIn>>, projectId: number) {
  let isOver = false
  const done = (async () => {
    for (let count = 0; ; count++) {
      if (isOver) return count
      ;(await chief.post(`/projects/${projectId}/tasks`, { title: `Meanwhile ${count}` })).expect(201)
    }
  })()
  return () => {
    isOver = true
    return done
  }
}

/** The tasks that an archive can have, as one number. */
const digestOf = async (look: Inspector, id: number, most: number) =>
  (
    await look.rows(
      `select md5(string_agg(title || coalesce(description, ''), '|' order by id)) as digest, count(*)
         from (select * from tasks where tenant_id = $1 order by id limit $2) t`,
      [id, most],
    )
  )[0]

test('a tenant is exported in constant memory while people work, and is the same elsewhere', async () => {
  const chief = await signIn(service.remote, 'chief', PASSWORD, 'acme')
  const [project] = (await chief.get('/projects')).expect(200)
  const before = residentMb(service.pid)
  let most = before
  const looking = setInterval(() => (most = Math.max(most, residentMb(service.pid))), 100)
  const stop = startWriting(chief, project.id)

  const started = performance.now()
  const response = await fetch(`http://127.0.0.1:${service.port}/api/v1/tenant/export`, {
    headers: { authorization: `Bearer ${chief.token}` },
  })
  expect(response.status).toBe(200)
  await pipeline(Readable.fromWeb(response.body as never), createWriteStream(archive))
  const exportedIn = performance.now() - started
  clearInterval(looking)
  expect(await stop()).toBeGreaterThan(0)
  expect(most - before).toBeLessThan(MOST_GROWTH_MB)

  const manifest = await manifestOf(archive)
  expect(manifest.rows.tasks! + manifest.rows.task_comments!).toBeGreaterThanOrEqual(ROWS)
  expect(manifest.entries.filter(({ name }) => name.startsWith('files/'))).toHaveLength(FILES)

  const env = { DATABASE_URL: urls.target, FILE_STORAGE_ROOT: roots.target }
  const importing = performance.now()
  const said = await atrium(`tenant import ${archive} --code acme-2`, {
    env: { ...env, NODE_OPTIONS: '--max-old-space-size=160' },
  })
  const importedIn = performance.now() - importing
  expect(said, said.err).toMatchObject({ code: 0, out: expect.stringContaining('acme-2 is tenant') })
  const [{ id }] = (await target.rows(`select id::float8 from tenants where code = 'acme-2'`)) as [{ id: number }]
  expect(await digestOf(target, id, 1e9)).toEqual(await digestOf(source, tenantId, manifest.rows.tasks!))
  expect(await target.count('select count(*) from files where tenant_id = $1', [id])).toBe(FILES)

  const other = await startHere(urls.target, { FILE_STORAGE_ROOT: roots.target })
  const there = await signIn(other.remote, 'chief', PASSWORD, 'acme-2')
  expect((await there.get('/projects')).expect(200)).toMatchObject([{ name: 'Large' }])
  await other.stop()
  if (HOLDS_FIGURES)
    console.info(
      `${ROWS} rows, ${FILES} files: ${(statSync(archive).size / 2 ** 20).toFixed(0)} MiB exported in ${(exportedIn / 1000).toFixed(1)} s, memory ${before.toFixed(0)} → ${most.toFixed(0)} MiB; imported in ${(importedIn / 1000).toFixed(1)} s`,
    )
})

test('the command line exports the same', async () => {
  const env = { DATABASE_URL: urls.source, FILE_STORAGE_ROOT: roots.source }
  const file = join(dir, 'by-command.tar')
  expect(await atriumHere(`tenant export acme ${file}`, { env })).toMatchObject({ code: 0 })
  const [one, other] = [await manifestOf(archive), await manifestOf(file)]
  expect(other.tenant).toEqual(one.tenant)
  expect(other.entries.map(({ name }) => name)).toEqual(one.entries.map(({ name }) => name))
  for (const [line, code] of [
    [`tenant export acme ${file}`, 1],
    ['tenant export nobody', 1],
    [`tenant import ${file}`, 2],
    [`tenant import ${file} --code acme`, 1],
  ] as const)
    expect(await atriumHere(line, { env }), line).toMatchObject({ code, out: '' })
})

test('it is erased when its time is over, by a job of every service', async () => {
  const admin = await signIn(service.remote, 'admin', 'admin123', 'default')
  if (isHere('system')) {
    const jobs = (await admin.get('/system/jobs')).expect(200)
    expect(jobs.map(({ name }: { name: string }) => name)).toContain('tenants to erase')
  }
  ;(await admin.post(`/tenants/${tenantId}/close`)).expect(200)
  await source.rows(`update tenants set erase_at = now() where id = $1`, [tenantId])

  const storage = await openStorage({ storage: 'local', root: roots.source, maxSize: 1e9 })
  const env = { NODE_ENV: 'test', DATABASE_URL: urls.source, DATA_DIR: join(dir, 'nowhere') }
  await withDatabase(configOf(env), (database) => eraseDueTenants(database, storage))

  expect(await source.count('select count(*) from tenants where id = $1', [tenantId])).toBe(0)
  const [proof] = await source.rows('select counts, file_count::int from erasures')
  expect(proof!.file_count).toBe(FILES)
  expect(proof!.counts.tasks + proof!.counts.task_comments).toBeGreaterThanOrEqual(ROWS)
  expect(await source.count('select count(*) from tasks')).toBe(0)
})

async function manifestOf(path: string): Promise<TenantManifest> {
  for await (const { name, body } of entriesOf(path))
    if (name === MANIFEST) return JSON.parse(Buffer.concat(await Array.fromAsync(body)).toString())
  throw new Error('there is no manifest')
}
