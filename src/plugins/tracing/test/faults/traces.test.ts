import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { cloneDatabase, openInspector } from '#test/database.ts'
import { inTime, until } from '#test/patience.ts'
import { startProcess } from '#test/service.ts'
import { foundCompanies } from '#test/workload.ts'
import { freePort } from '../../../../../appliance/embedded/postmaster.ts'
import { VERSION } from '../../../../config/build.ts'
import { openSpans } from '../../opentelemetry.ts'
import { startCollector } from '../collector.ts'

const PARENT = 'b7ad6b7169203331'
const [SERVER, CLIENT] = [2, 3]
const build = { version: '1.2.3', commit: undefined }
const silent = { info() {}, warn() {}, error() {} }

const [databaseUrl, collector] = await Promise.all([cloneDatabase(), startCollector()])
const look = await openInspector(databaseUrl)
const otel = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_SERVICE_NAME: 'atrium-test' }
const start = () => startProcess({ databaseUrl, env: { ...otel, LOG_LEVEL: 'info', COMMIT: 'abc' } })
let service = await start()
const company = (await foundCompanies(service.remote, 1))[0]!

const newTrace = () => randomBytes(16).toString('hex')
/** As a request names its caller. */
const below = (trace: string, flag = '01') => ({ traceparent: `00-${trace}-${PARENT}-${flag}` })
/** What the log says of a request, once the whole line is there. */
const logged = (requestId: string) =>
  until(() => {
    const lines = service.output().split('\n').slice(0, -1)
    const [line, ...others] = lines.filter((each) => each.includes(requestId))
    return line !== undefined && others.length === 0 && JSON.parse(line)
  })

describe('a request that is traced', () => {
  test.concurrent('is a span below the one of its caller, with its flights below it', async () => {
    const path = `/tasks/${company.shared[0]!.id}`
    const person = company.people[0]!
    const client = service.remote.as(person.token)
    let version = 0
    const spans = await collector.traced('PUT /api/v1/tasks/:id', async () => {
      const trace = newTrace()
      const task = { version, title: `canary-title ${version}` }
      const answer = await client.put(path, task, { ...below(trace), 'x-request-id': 'traced' })
      version = answer.expect(200).version
      return trace
    })
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
    const spans = await collector.traced('GET /api/v1/notifications/unread-count', async () => {
      const requestId = randomUUID()
      await client.get('/notifications/unread-count', { 'x-request-id': requestId })
      return (await logged(requestId)).traceId
    })
    expect(spans.find(({ kind }) => kind === SERVER)!.parentSpanId).toBeUndefined()
  })

  test.concurrent('that its caller does not want to be traced is not', async () => {
    const unwanted = newTrace()
    const client = service.remote.as()
    await collector.traced('GET /api/v1/public/faq', async () => {
      const trace = newTrace()
      await client.get('/public/faq', below(unwanted, '00'))
      await client.get('/public/faq', below(trace))
      return trace
    })
    expect(collector.spans.filter(({ traceId }) => traceId === unwanted)).toEqual([])
  })

  test.concurrent('is found from its request id in the log, the trace and the audit if it was refused', async () => {
    const [task] = company.shared
    const client = service.remote.as(company.people[0]!.token)
    const spans = await collector.traced('PUT /api/v1/tasks/:id', async () => {
      const requestId = randomUUID()
      const late = { version: 1_000_000, title: 'late' }
      const answer = await client.put(`/tasks/${task!.id}`, late, { 'x-request-id': requestId })
      answer.expect(409, 'VERSION_CONFLICT')
      return (await logged(requestId)).traceId
    })
    const root = spans.find(({ kind }) => kind === SERVER)!
    const requestId = String(root.attributes['atrium.request.id'])
    const { traceId } = root
    expect(await logged(requestId)).toMatchObject({ requestId, traceId, status: 409, error: 'VERSION_CONFLICT' })
    expect(root.attributes).toMatchObject({
      ...{ 'atrium.refusal': 'VERSION_CONFLICT', 'service.version': VERSION, 'vcs.ref.head.revision': 'abc' },
    })
    // No error of the service.
    expect(root.status).toBe(0)
    expect(root.attributes).not.toHaveProperty('error.type')
    const audited = () => look.rows('select status, route from audit_operations where request_id = $1', [requestId])
    await until(async () => expect(await audited()).toEqual([{ status: 409, route: '/api/v1/tasks/:id' }]))
  })

  test('carries nothing of what was sent', () => {
    for (const secret of ['canary-title', company.people[0]!.token, 'Bearer', 'admin123'])
      expect(collector.text()).not.toContain(secret)
  })
})

test('what is left is sent before the end', async () => {
  let ended: unknown
  await collector.traced('GET /api/v1/public/about', async () => {
    if (!service.isAlive()) service = await start()
    const trace = newTrace()
    await service.remote.as().get('/public/about', below(trace))
    ended = await service.end('SIGTERM')
    return trace
  })
  expect(ended).toMatchObject({ code: 0 })
})

const options = { traceEndpoint: 'http://x', serviceName: 'x', build, traceShare: 1 }

test('a collector that is away costs a line of the log, and neither a request nor the stop', async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`
  const lines: string[] = []
  const warn = (_facts: unknown, line: string) => void lines.push(line)
  const tracing = await openSpans({ ...options, traceEndpoint: endpoint }, { ...silent, warn })

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
  await expect(openSpans(options, silent, missing)).rejects.toThrow(
    /OTEL_EXPORTER_OTLP_ENDPOINT is set, which needs packages: npm install @opentelemetry\/api/,
  )
})
