import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { canonicalTarget, isPlain } from '../../src/util/target.ts'

test.each([
  ['/api/v1/%72oles', '/api/v1/roles'],
  ['/%61pi/v1/roles/?a=%72', '/api/v1/roles?a=%72'],
  ['/api/v1/roles/', '/api/v1/roles'],
  ['/api/v1/files/1/a%2fb%2E%7e', '/api/v1/files/1/a%2Fb.~'],
  ['/api/v1/content/%e4%bd%a0', '/api/v1/content/%E4%BD%A0'],
  ['/api/v1/roles?next=/x/', '/api/v1/roles?next=/x/'],
  ['/docs/', '/docs/'],
  ['/', '/'],
  ['/api/', '/api'],
  ['/api/v1/%', '/api/v1/%'],
  ['/api/v1/%zz', '/api/v1/%zz'],
])('%s is written %s', (target, canonical) => {
  expect(canonicalTarget(target)).toBe(canonical)
  expect(canonicalTarget(canonical)).toBe(canonical)
})

test.each([
  ['/api/v1/roles', 'localhost', true],
  ['/api/v1/roles?to=http://a.example/', 'localhost:8080', true],
  ['/api/v1/roles', undefined, true],
  ['http://evil.example/api/v1/roles', 'localhost', false],
  ['*', 'localhost', false],
  ['/api/v1/roles#part', 'localhost', false],
  ['/api/v1/roles', 'localhost, evil.example', false],
])('%s of %s: a plain request is %s', (url, host, plain) => {
  expect(isPlain({ url, headers: { host } } as IncomingMessage)).toBe(plain)
})
