import { describe, expect, test } from 'vitest'
import { openOutput } from '../../src/util/lossy-output.ts'
import { PATIENCE_MS } from '../support/patience.ts'

/** A target that writes, fails or does not answer, on demand. */
function given(options: { most?: number } = {}) {
  let state: 'well' | 'full' | 'unread' = 'well'
  let stuck: (() => void) | undefined
  let text = ''
  const back: number[] = []
  const output = openOutput(
    (bytes, done) => {
      const write = () => {
        text += bytes
        done()
      }
      if (state === 'well') setImmediate(write)
      else if (state === 'full') setImmediate(() => done(new Error('ENOSPC')))
      else stuck = write
    },
    { piece: 30, everyMs: 5, onBack: (dropped) => void back.push(dropped), ...options },
  )
  return {
    output,
    back,
    text: () => text,
    becomes(next: typeof state) {
      state = next
      stuck?.()
      stuck = undefined
    },
  }
}

describe('an output', () => {
  test('writes lines in their order, few after a while and many together', async () => {
    const { output, text } = given()
    output.write('one\n')
    await expect.poll(text).toBe('one\n')
    for (let at = 0; at < 100; at++) output.write(`${at}\n`)
    await output.flush(PATIENCE_MS)
    expect(text()).toBe(`one\n${Array.from({ length: 100 }, (_, at) => `${at}\n`).join('')}`)
  })

  test('drops what cannot be written, counts it, and says so when it can write again', async () => {
    const { output, back, text, becomes } = given()
    becomes('full')
    for (const line of ['lost\n', 'lost too\n', 'and this\n']) output.write(line)
    await output.flush(PATIENCE_MS)
    expect(output.dropped).toBe(3)
    becomes('well')
    output.write('found\n')
    await expect.poll(text).toBe('found\n')
    expect(back).toEqual([3])
  })

  test('holds a limited amount for a reader who does not read, drops the rest, and does not wait for them at the end', async () => {
    const { output, back, text, becomes } = given({ most: 100 })
    becomes('unread')
    for (let at = 0; at < 1000; at++) output.write('nine more\n')
    expect(output.dropped).toBeGreaterThan(900)
    const start = performance.now()
    await output.flush(50)
    expect(performance.now() - start).toBeGreaterThanOrEqual(49)
    becomes('well')
    await output.flush(PATIENCE_MS)
    expect(text().split('\n').length - 1 + output.dropped).toBe(1000)
    expect(back).toEqual([output.dropped])
  })
})
