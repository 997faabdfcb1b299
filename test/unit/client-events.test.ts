import { afterEach, expect, test, vi } from 'vitest'
import { notificationEvents } from '../../client/events.ts'

afterEach(() => void vi.useRealTimers())

test('a stream that has fallen silent is opened again behind the last notification', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const encoder = new TextEncoder()
  const asked: Record<string, string>[] = []
  let lost = 0
  /** One that says this, and nothing after it. */
  const saying = (text: string) =>
    new Response(
      new ReadableStream({
        start: (body) => body.enqueue(encoder.encode(text)),
        cancel: () => void lost++,
      }),
    )
  const answers = [':\n\nid: 7\nevent: notification\ndata: {"id":7}\n\n', 'event: unread-count\ndata: {"count":1}\n\n']
  const open = async (headers: Record<string, string>) => {
    asked.push(headers)
    return saying(answers.shift()!)
  }
  const events = notificationEvents(open, {})
  expect((await events.next()).value).toEqual({ type: 'notification', notification: { id: 7 } })

  const next = events.next()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([asked.length, lost]).toEqual([1, 0])
  await vi.advanceTimersByTimeAsync(60_000)
  expect((await next).value).toEqual({ type: 'unread-count', count: 1 })
  expect(asked.map((headers) => headers['last-event-id'])).toEqual([undefined, '7'])
  expect(lost).toBe(1)
})
