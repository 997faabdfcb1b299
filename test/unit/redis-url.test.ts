import { expect, test } from 'vitest'
import { readRedisUrl } from '../../src/data/coordination/redis-url.ts'
import { testConfig } from '../support/config.ts'

const host = (name: string, port: number) => ({ host: name, port })

test.each([
  ['redis://cache:6380/2', { kind: 'server', hosts: [host('cache', 6380)], tls: false }],
  ['rediss://user:p%40ss@cache', { kind: 'server', hosts: [host('cache', 6379)], tls: true }],
  [
    'redis+sentinel://one:26379,two/mymaster',
    { kind: 'sentinel', hosts: [host('one', 26379), host('two', 26379)], name: 'mymaster', tls: false },
  ],
  [
    'rediss+cluster://user:p%40ss@one:7000,[::1]:7001',
    { kind: 'cluster', hosts: [host('one', 7000), host('[::1]', 7001)], username: 'user', password: 'p@ss', tls: true },
  ],
  ['redis+cluster://:secret@one', { kind: 'cluster', username: undefined, password: 'secret' }],
])('%s is understood', (url, address) => {
  expect(readRedisUrl(url)).toMatchObject(address)
  expect(testConfig({ REDIS_URL: url }).redisUrl).toBe(url)
})

test.each([
  'cache:6379',
  'http://cache',
  'redis://',
  'redis+sentinel://one,two',
  'redis+sentinel://one,two/',
  'redis+cluster://one/mymaster',
  'redis+cluster://one,,two',
  'redis+cluster://',
  'redis+else://one',
  'redis+cluster://one:x',
])('"%s" is no address of a Redis, and is refused as the value of the variable', (url) => {
  expect(readRedisUrl(url)).toBeUndefined()
  expect(() => testConfig({ REDIS_URL: url })).toThrow('REDIS_URL: must be redis://host')
})
