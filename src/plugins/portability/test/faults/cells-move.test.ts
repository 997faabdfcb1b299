import { request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { atriumHere } from '#test/cli-here.ts'
import { cloneDatabase, type Inspector, openInspector } from '#test/database.ts'
import { newFolder } from '#test/folder.ts'
import { formOf, pngOf } from '#test/form.ts'
import { type Nginx, nginxIsHere, startCells } from '#test/nginx.ts'
import { isHere } from '#test/plugins.ts'
import { type ServiceProcess, startProcess } from '#test/service.ts'
import { uploadTo } from '#test/uploads.ts'

/** A tenant moves between two installations behind `deploy/cells.conf`, as docs/operations.md describes it. */
const here = nginxIsHere()
const PASSWORD = 'correct horse battery staple'
const TASKS = 5
const FILES = 2
const dir = newFolder()
const archive = join(dir, 'acme.tar')

interface Cell {
  env: Record<string, string>
  look: Inspector
  service: ServiceProcess
}
let a: Cell
let b: Cell
let nginx: Nginx
beforeAll(async () => {
  if (!here) return
  ;[a, b] = await Promise.all([givenCell('a'), givenCell('b')])
  // At first every tenant is in cell a.
  nginx = await startCells(a.service.port, b.service.port, (file) => file.replaceAll(/^.*acme.* cell-b;\n/gm, ''))
})

/** An installation of its own: database, files and signing key. */
async function givenCell(name: string): Promise<Cell> {
  const databaseUrl = await cloneDatabase()
  const env = { FILE_STORAGE_ROOT: join(dir, name), JWT_SECRET: `the signing key of cell ${name} and of no other` }
  const service = await startProcess({ databaseUrl, env })
  return { env: { ...env, DATABASE_URL: databaseUrl }, look: await openInspector(databaseUrl), service }
}

/** Through the proxy. */
async function ask(method: string, path: string, headers: Record<string, string>, body?: object) {
  const sent = body && JSON.stringify(body)
  const type =
    sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }
  const call = request({
    ...{ port: nginx.port, host: '127.0.0.1', method, path: `/api/v1${path}`, agent: false },
    headers: { host: 'other.example.com', ...headers, ...type },
  })
  const answered = new Promise<any>((resolve, reject) => call.on('response', resolve).on('error', reject))
  call.end(sent)
  const response = await answered
  const text = (await response.setEncoding('utf8').toArray()).join('')
  return { status: response.statusCode as number, body: text.startsWith('{') ? JSON.parse(text) : text }
}
const HOST = { host: 'acme.example.com' }
const signIn = (headers: object = HOST, tenantCode = 'acme', username = 'chief', password = PASSWORD) =>
  ask('POST', '/auth/login', { ...headers }, { username, password, tenantCode })
const bearer = (token: string) => ({ ...HOST, authorization: `Bearer ${token}` })

describe.skipIf(!here)('a tenant that moves to another cell', () => {
  test('is whole there, and its requests follow the map', async () => {
    const admin = await signIn({}, 'default', 'admin', 'admin123')
    const draft = {
      ...{ name: 'Acme', code: 'acme', plan: 'team', adminUsername: 'chief', adminPassword: PASSWORD },
      adminEmail: 'chief@acme.example',
    }
    const made = await ask('POST', '/tenants', { authorization: `Bearer ${admin.body.data.accessToken}` }, draft)
    expect(made.status).toBe(201)
    const token = (await signIn()).body.data.accessToken
    const key = { 'idempotency-key': 'one' }
    const project = await ask('POST', '/projects', { ...bearer(token), ...key }, { name: 'Large', code: 'LARGE' })
    for (let at = 0; at < TASKS; at++)
      await ask('POST', `/projects/${project.body.data.id}/tasks`, bearer(token), { title: `Task ${at}` })
    for (let at = 0; at < FILES; at++)
      await uploadTo(a.service.port, token, formOf([{ filename: `${at}.png`, content: pngOf(2000 + at) }]))
    expect(await b.look.count('select count(*) from tenants')).toBe(1)

    // Closed: from here on nothing is written that the export would not have.
    expect(await atriumHere('tenant erase acme', { env: a.env })).toMatchObject({ code: 0 })
    await expect.poll(async () => (await signIn()).status).toBe(403)
    const exported = await atriumHere(`tenant export acme ${archive}`, { env: a.env })
    const imported = await atriumHere(`tenant import ${archive} --code acme`, { env: b.env })
    expect([exported.code, imported.code], imported.err).toEqual([0, 0])
    const [, rows, files] = /(\d+) rows and (\d+) files/.exec(exported.err)!
    expect(Number(files)).toBe(FILES)
    expect(imported.out).toMatch(new RegExp(`: \\d+ rows and ${FILES} files of `))
    expect(Number(rows)).toBeGreaterThan(TASKS + FILES)
    for (const table of ['users', 'projects', 'tasks', 'activities', 'files', 'notifications'])
      expect(await countOf(b, table), table).toBe(await countOf(a, table))
    // Each cell gives events their numbers when it comes to it.
    const eventsOf = async (cell: Cell) => (await countOf(cell, 'events')) + (await countOf(cell, 'unnumbered_events'))
    expect(await eventsOf(b)).toBe(await eventsOf(a))

    await nginx.reload((file) =>
      file
        .replace(/(map \$host [^}]*)}/, '$1  acme.example.com cell-b;\n}')
        .replace(/(map \$http_x_tenant_code [^}]*)}/, '$1  ~*^\\s*acme\\s*$ cell-b;\n}'),
    )

    const there = bearer((await signIn()).body.data.accessToken)
    expect((await ask('GET', '/projects', there)).body.data).toMatchObject([{ name: 'Large', code: 'LARGE' }])
    expect((await ask('GET', '/tasks', there)).status).toBe(200)
    expect((await ask('GET', '/projects', bearer(token))).status, 'a token of the other cell').toBe(401)
    expect((await signIn({ 'x-tenant-code': 'acme' })).status, 'by X-Tenant-Code').toBe(200)
    expect((await signIn({})).status, 'in the cell that it has left').toBe(403)
    const others = { authorization: `Bearer ${admin.body.data.accessToken}` }
    expect((await ask('GET', '/users/me', others)).status, 'those who stayed').toBe(200)
    if (isHere('audit-chain')) expect(await atriumHere('audit verify acme', { env: b.env })).toMatchObject({ code: 0 })
  })

  const countOf = ({ look }: Cell, table: string) =>
    look.count(`select count(*) from ${table} where tenant_id = (select id from tenants where code = 'acme')`)
})
