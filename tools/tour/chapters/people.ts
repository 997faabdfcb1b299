import type { Atrium } from '../../../client/index.ts'
import { lines, newcomer, type Person, type Tour } from '../cast.ts'
import { expect } from '../guide.ts'

/** A third person, and what is their own. @returns that person */
export async function tellPeople(tour: Tour, admin: Atrium): Promise<Person> {
  const { chapter, tell, signIn } = tour

  chapter('A third person')
  const third = await newcomer(tour, admin, 'clerk')
  const clerk = await signIn('They sign in on another machine too.', third.username)
  const sessions = () => clerk.listSessions()
  await tell('Where they are signed in:', sessions, 200, (open) => {
    const here = open.filter(({ current }) => current)
    expect(open.length === 2 && here.length === 1, 'two sessions, one of them this one')
    return lines(open, ({ current, ip }) => `${ip}${current ? ', this session' : ''}`)
  })
  await tell('All others are ended.', () => clerk.endOtherSessions(), 200, {})
  const profile = { locale: 'en', timeZone: 'Europe/Lisbon' } as const
  await tell('Language and time zone are their own.', () => clerk.updateProfile({ body: profile }), 200, profile)
  return { client: clerk, id: third.id }
}
