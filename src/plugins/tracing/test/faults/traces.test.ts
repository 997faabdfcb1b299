import { beforeAll, describe, expect, test, vi } from 'vitest'
import { cloneDatabase, type Inspector, openInspector } from '#test/database.ts'
import { inTime, until } from '#test/patience.ts'
import { type ServiceProcess, startProcess } from '#test/service.ts'
import { type Company, foundCompanies } from '#test/workload.ts'
import { freePort } from '../../../../../appliance/embedded/postmaster.ts'
import { VERSION } from '../../../../config/build.ts'
import { openSpans } from '../../opentelemetry.ts'
import { type Collector, startCollector } from '../collector.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const [SERVER, CLIENT] = [2, 3]
const build = { version: '1.2.3', commit: undefined }
const silent = { info() {}, warn() {}, error() {} }

let databaseUrl: string
let look: Inspector
let collector: Collector
let service: ServiceProcess
let company: Company
beforeAll(async () => {
  ;[databaseUrl, collector] = await Promise.all([cloneDatabase(), startCollector()])
  look = await openInspector(databaseUrl)
  const otel = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_SERVICE_NAME: 'atrium-test' }
  const env = { ...otel, LOG_LEVEL: 'info', COMMIT: 'abc' }
  service = await startProcess({ databaseUrl, env })
  company = (await foundCompanies(service.remote, 1))[0]!
})

/** Whole lines of the log. */
const linesWith = (text: string) =>
  service
    .output()
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.includes(text))

describe('a request that is traced', () => {
  test.concurrent('is a span below the one of its caller, with its flights below it', async () => {
    const [task] = company.shared
    const person = company.people[0]!
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, 'x-request-id': 'traced' }
    const client = service.remote.as(person.token)
    ;(await client.put(`/tasks/${task!.id}`, { version: 0, title: 'canary-title' }, headers)).expect(200)

    const spans = await collector.trace(TRACE, 'PUT /api/v1/tasks/:id')
    const root = spans.find(({ kind }) => kind === SERVER)!
    const flights = spans.filter(({ kind }) => kind === CLIENT)

    expect(root).toMatchObject({
      name: 'PUT /api/v1/tasks/:id',
      parentSpanId: PARENT,
      status: 0,
      attributes: {
        'service.name': 'atrium-test',
        'http.request.method': 'PUT',
        'http.route': '/api/v1/tasks/:id',
        'http.response.status_code': 200,
        'atrium.request.id': 'traced',
        'atrium.user.id': person.id,
        'atrium.tenant.id': expect.any(Number),
      },
    })
    expect(flights.every(({ parentSpanId }) => parentSpanId === root.spanId)).toBe(true)
    const names = flights.map(({ name }) => name)
    expect(names).toContainEqual(expect.stringContaining('select tasks'))
    expect(names).toContainEqual(expect.stringMatching(/update tasks.*insert audit_operations/))
    expect(flights.find(({ name }) => name.includes('update tasks'))!.attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.operation.batch.size': expect.any(Number),
    })
  })

  test.concurrent('begins a new trace if it has no caller, and its log line names it', async () => {
    const client = service.remote.as(company.people[0]!.token)
    await client.get('/notifications/unread-count', { 'x-request-id': 'first-of-all' })

    await until(() => linesWith('first-of-all').length === 1)
    const { traceId } = JSON.parse(linesWith('first-of-all')[0]!)

    const [root] = (await collector.trace(traceId, 'GET /api/v1/notifications/unread-count')).filter(
      ({ kind }) => kind === SERVER,
    )
    expect(root!.parentSpanId).toBeUndefined()
  })

  test.concurrent('that its caller does not want to be traced is not', async () => {
    const unwanted = 'ffffffffffffffffffffffffffffffff'
    const caller = (trace: string, flag: string) => ({ traceparent: `00-${trace}-${PARENT}-${flag}` })
    const client = service.remote.as()
    await client.get('/public/faq', caller(unwanted, '00'))
    await client.get('/public/faq', caller('eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', '01'))

    await collector.trace('eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', 'GET /api/v1/public/faq')
    expect(collector.spans.filter(({ traceId }) => traceId === unwanted)).toEqual([])
  })

  test.concurrent('is found from its request id in the log, the trace and the audit if it was refused', async () => {
    const [task] = company.shared
    const headers = { 'x-request-id': 'refused' }
    const client = service.remote.as(company.people[0]!.token)
    ;(await client.put(`/tasks/${task!.id}`, { version: 99, title: 'late' }, headers)).expect(409, 'VERSION_CONFLICT')

    await until(() => linesWith('"refused"').length === 1)
    const line = JSON.parse(linesWith('"refused"')[0]!)
    expect(line).toMatchObject({ requestId: 'refused', status: 409, error: 'VERSION_CONFLICT' })
    const [root] = (await collector.trace(line.traceId, 'PUT /api/v1/tasks/:id')).filter(({ kind }) => kind === SERVER)
    expect(root!.attributes).toMatchObject({
      ...{ 'atrium.request.id': 'refused', 'atrium.refusal': 'VERSION_CONFLICT' },
      ...{ 'service.version': VERSION, 'vcs.ref.head.revision': 'abc' },
    })
    // No error of the service.
    expect(root!.status).toBe(0)
    expect(root!.attributes).not.toHaveProperty('error.type')
    const audited = () => look.rows("select status, route from audit_operations where request_id = 'refused'")
    await until(async () => expect(await audited()).toEqual([{ status: 409, route: '/api/v1/tasks/:id' }]))
  })

  test('carries nothing of what was sent', () => {
    for (const secret of ['canary-title', company.people[0]!.token, 'Bearer', 'admin123'])
      expect(collector.text()).not.toContain(secret)
  })
})

test('what is left is sent before the end', async () => {
  const trace = 'cccccccccccccccccccccccccccccccc'
  await service.remote.as().get('/public/about', { traceparent: `00-${trace}-${PARENT}-01` })

  expect(await service.end('SIGTERM')).toMatchObject({ code: 0 })

  expect(await collector.trace(trace, 'GET /api/v1/public/about')).not.toEqual([])
})

test('a collector that is away costs a line of the log, and neither a request nor the stop', async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`
  const lines: string[] = []
  const warn = (_facts: unknown, line: string) => void lines.push(line)
  const tracing = await openSpans({ endpoint, serviceName: 'x', build, share: 1, log: { ...silent, warn } })

  const run = vi.fn()
  tracing.begin(undefined, run).end('GET /', {}, undefined)
  expect(run).toHaveBeenCalledOnce()
  await expect.poll(() => lines).toContainEqual(expect.stringContaining('traces could not be exported'))

  tracing.begin(undefined, run).end('GET /', {}, undefined)
  const start = performance.now()
  await tracing.close()
  expect(performance.now() - start).toBeLessThan(inTime(3000))
})

test('packages that are missing are named, instead of the traces', async () => {
  const missing = () =>
    Promise.reject(Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' }))
  const options = { endpoint: 'http://x', serviceName: 'x', build, share: 1, log: silent }

  await expect(openSpans(options, missing)).rejects.toThrow(
    /OTEL_EXPORTER_OTLP_ENDPOINT is set, which needs packages: npm install @opentelemetry\/api/,
  )
})
