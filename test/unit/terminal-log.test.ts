import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { openLog } from '../../src/log.ts'
import { terminalLog } from '../../src/terminal-log.ts'

function given() {
  const terminal = new PassThrough().setEncoding('utf8')
  return { log: openLog('info', terminalLog(terminal, false)), lines: () => String(terminal.read() ?? '').split('\n') }
}

test('somebody at a terminal reads the time, the request and how it ended, with why it was refused', () => {
  const { log, lines } = given()
  const request = { requestId: 'r-1', method: 'PUT', route: '/api/v1/tasks/:id', ms: 4.5, ip: '127.0.0.1' }
  log.info({ ...request, status: 409, error: 'VERSION_CONFLICT' }, 'request')
  log.info({ ...request, status: 200 }, 'request')

  expect(lines()).toEqual([
    expect.stringMatching(
      /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: request PUT \/api\/v1\/tasks\/:id 409 VERSION_CONFLICT 4\.5 ms \{"requestId":"r-1"\}$/,
    ),
    expect.stringMatching(/INFO: request PUT \/api\/v1\/tasks\/:id 200 4\.5 ms \{"requestId":"r-1"\}$/),
    '',
  ])
})

test('what else happens is its sentence and its facts, and no secret', () => {
  const { log, lines } = given()
  log.warn({ port: 9464, password: 'canary' }, 'METRICS_PORT is not available')

  expect(lines()[0]).toMatch(/WARN: METRICS_PORT is not available \{"port":9464,"password":"\[Redacted\]"\}$/)
})
