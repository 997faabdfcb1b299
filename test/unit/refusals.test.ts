import sensible from '@fastify/sensible'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { Unavailable } from '../../src/data/wire/unavailable.ts'
import { envelope } from '../../src/http/request/envelope.ts'
import { failures } from '../../src/http/request/failures.ts'

test.each([
  ['of handles', Object.assign(new Error('too many open files'), { code: 'EMFILE' })],
  ['of room on its disk', Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })],
  ['of connections', new Unavailable('no database connection is free')],
])('a machine that has no more %s answers 503, and asks to come again', async (_, error) => {
  const app = Fastify({ logger: false })
  await app.register(envelope)
  await app.register(sensible)
  await app.register(failures)
  app.addHook('onRequest', (req, _reply, done) => {
    req.route = req.routeOptions
    done()
  })
  app.decorateRequest('route', null as never)
  app.get('/', async () => Promise.reject(error))
  const answer = await app.inject('/')
  expect([answer.statusCode, answer.json().error.type, answer.headers['retry-after']]).toEqual([
    503,
    'UNAVAILABLE',
    '1',
  ])
})
