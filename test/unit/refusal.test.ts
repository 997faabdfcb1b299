import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { explain } from '../../appliance/cli/refusal.ts'
import { EmbeddedProblem } from '../../appliance/embedded/embedded-problem.ts'

const failed = (facts: object) => Object.assign(new Error('as the system says it'), facts)

test('a port that somebody else has is named, and how to take another', async () => {
  const squatter = createServer()
  await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
  const { port } = squatter.address() as { port: number }
  const error = await new Promise<Error>((resolve) => {
    createServer().once('error', resolve).listen(port, '127.0.0.1')
  })
  squatter.close()

  expect(explain(error)).toBe(
    `Port ${port} is in use by another program. Stop that one, or choose another port: PORT=${port + 1} npm start`,
  )
})

test.each([
  [{ code: 'EACCES', syscall: 'listen', port: 80 }, 'This user may not listen on port 80; choose a PORT above 1023.'],
  [
    { code: 'EADDRNOTAVAIL', syscall: 'listen', address: '10.9.8.7' },
    '10.9.8.7 is not an address of this machine; HOST names the one to listen on.',
  ],
  [
    { code: 'EACCES', syscall: 'mkdir', path: '/srv/data' },
    'This user may not write or read /srv/data. Give them access, or choose another directory with DATA_DIR.',
  ],
  [
    { code: 'ENOENT', syscall: 'mkdir', path: '/proc/data' },
    '/proc/data cannot be created. Choose another directory with DATA_DIR or FILE_STORAGE_ROOT.',
  ],
  [
    { code: 'EROFS', syscall: 'mkdir', path: '/mnt/data' },
    '/mnt/data cannot be written: its disk is read-only. Choose another directory with DATA_DIR.',
  ],
  [
    { code: 'ENOSPC', syscall: 'write' },
    'The disk is full. Free some space and start again: what was written before is intact.',
  ],
])('%j is a sentence that says what to do', (facts, sentence) => {
  expect(explain(failed(facts))).toBe(sentence)
})

test('what else the system says is kept in its words, and a mistake of ours with its stack', () => {
  for (const code of ['ECONNREFUSED', 'DEPTH_ZERO_SELF_SIGNED_CERT', '28P01'])
    expect(explain(failed({ code }))).toBe('as the system says it.')
  expect(explain(new EmbeddedProblem('It needs a library.'))).toBe('It needs a library.')
  expect(explain(new TypeError('x is undefined'))).toContain('refusal.test.ts')
})
