import { expect, test } from 'vitest'
import '../support/domains.ts'
import { told } from '../../src/domains/notifications/notifications.rules.ts'

const stored = {
  type: 'PROJECT_MEMBER_ADDED',
  title: 'You were added to Moon',
  facts: { name: '{name} $& Moon' },
  userName: null,
}

test('a notification is in the language of its reader, its facts as they are', () => {
  expect(told(stored, 'zh-CN')).toEqual({ type: stored.type, title: '您已加入项目 {name} $& Moon' })
  expect(told(stored, 'en').title).toBe('You were added to {name} $& Moon')
})

test.each([
  ['older than facts', { facts: null }],
  ['of a type that no domain declares any more', { type: 'FORGOTTEN' }],
])('one that is %s keeps the title it was stored with', (_, change) => {
  expect(told({ ...stored, ...change }, 'zh-CN').title).toBe(stored.title)
})
