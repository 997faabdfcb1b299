import { expect, test } from 'vitest'
import type { Announcement } from '../../src/data/wire/announcements.ts'
import { openAnnouncements } from '../../src/data/wire/announcements.ts'

/** Two replicas on one channel, which each of them hears itself on. */
function givenReplicas() {
  const ends: ((text: string) => void)[] = []
  const say = (text: string) => ends.forEach((receive) => void receive(text))
  const heard: [string, Announcement, number][] = []
  const replicas = ['one', 'other'].map((name) => {
    const announcements = openAnnouncements()
    announcements.connect((receive) => {
      ends.push(receive)
      return { send: say, isOpen: () => true, close() {} }
    })
    announcements.subscribe((announcement, tenantId) => void heard.push([name, announcement, tenantId]))
    return announcements
  })
  return { replicas, heard, say }
}

test('what one replica announces every other hears, and itself once', () => {
  const { replicas, heard } = givenReplicas()

  replicas[0]!.publish('roles', 7)
  replicas[1]!.publish({ session: 3 }, 8)

  expect(heard).toEqual([
    ['one', 'roles', 7],
    ['other', 'roles', 7],
    ['other', { session: 3 }, 8],
    ['one', { session: 3 }, 8],
  ])
})

test('what somebody else says in the channel is ignored', () => {
  const { heard, say } = givenReplicas()

  for (const text of ['', '{', 'null', '{"announcement":"roles","tenant":"1"}']) say(text)
  for (const announcement of ['nothing', null, { nothing: 1 }, { user: '1' }])
    say(JSON.stringify({ announcement, tenant: 1 }))

  expect(heard).toEqual([])
})
