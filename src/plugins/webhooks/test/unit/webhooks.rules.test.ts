import { describe, expect, test } from 'vitest'
import '#test/domains.ts'
import type { Attempted } from '../../sending/attempt.ts'
import { type Ended, healthOf } from '../../sending/settle.ts'
import { isFor, pauseAfter, rotate, secretsAt, statusOf, widthOf } from '../../webhooks.rules.ts'

const HOUR = 3600_000

test('pauses after failed attempts are those that are documented; the eighth is the last', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8].map(pauseAfter)
  expect(pauses).toEqual([5000, 30_000, 120_000, 600_000, HOUR, 6 * HOUR, 24 * HOUR, undefined])
})

describe('a webhook', () => {
  test.each([
    [{ isPaused: false, failures: 0 }, 'active', 8],
    [{ isPaused: false, failures: 3 }, 'failing', 1],
    [{ isPaused: true, failures: 9 }, 'paused', 0],
  ])('with %j is %s and gets %i at a time', (webhook, status, width) => {
    expect(statusOf(webhook)).toBe(status)
    expect(widthOf(webhook)).toBe(width)
  })

  const task = { type: 'task.created', subjectType: 'task', subjectId: 7 }
  const testOf = (subjectId: number) => ({ type: 'webhook.tested', subjectType: 'webhook', subjectId })
  const changeOf = (subjectId: number) => ({ type: 'webhook.updated', subjectType: 'webhook', subjectId })
  test.each([
    [['task.created'], task, true],
    [['task.updated'], task, false],
    [['*'], task, true],
    [['*'], testOf(3), true],
    [['task.created'], testOf(3), true],
    [['*'], testOf(4), false],
    [['webhook.tested'], testOf(4), false],
    [['*'], changeOf(3), false],
    [['*'], changeOf(4), true],
  ])('of types %j is sent %j: %s', (types, event, is) => {
    expect(isFor({ id: 3, types }, event)).toBe(is)
  })

  test('signs with its last secret too for a day after a rotation', () => {
    const secrets = rotate({ current: 'old', url: 'https://example.com/' }, 'new', 1000)
    expect(secretsAt(secrets, 1000)).toEqual(['new', 'old'])
    expect(secretsAt(secrets, 999 + 24 * HOUR)).toEqual(['new', 'old'])
    expect(secretsAt(secrets, 1000 + 24 * HOUR)).toEqual(['new'])
    expect(secretsAt(rotate(secrets, 'newer', 2000), 2000)).toEqual(['newer', 'new'])
  })
})

test('failed attempts of a webhook are counted since the last one that was delivered', () => {
  const ended = (webhookId: number, status: Attempted['status']) =>
    ({ parcel: { webhookId }, outcome: { status } }) as Ended<Attempted>
  const all = [ended(2, 'failed'), ended(1, 'failed'), ended(1, 'delivered'), ended(1, 'dead'), ended(2, 'failed')]
  expect(healthOf(all)).toEqual({ webhookIds: [1, 2], delivered: [true, false], failed: [1, 2] })
})
