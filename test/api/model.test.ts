import fc from 'fast-check'
import { expect, test } from 'vitest'
import { report } from '../support/invariants.ts'
import { begin, COMMANDS, expectSame, WHO, type Who } from '../support/model.ts'
import { obedient } from '../support/obedient.ts'
import { shifted } from '../support/shifted.ts'
import { openWorld, type Person } from '../support/world.ts'

/** SEQUENCES=10000 for the full run, which draws others each time; SEQUENCE_SEED repeats one. */
const SEQUENCES = Number(process.env.SEQUENCES ?? 6)
const LONGEST = 50
const SEED = Number(process.env.SEQUENCE_SEED ?? (process.env.SEQUENCES ? Date.now() % 1_000_000 : 20_261_121))

const world = await openWorld({ env: { ACCESS_TOKEN_TTL: '86400' } })
const company = await world.givenTenant()
const user = () => world.givenUser(company)
const stranger = (await world.givenTenant()).administrator
const people = { boss: company.administrator, anna: await user(), ben: await user(), cleo: await user(), stranger }
const each = <T>(make: (person: Person) => T) =>
  Object.fromEntries(WHO.map((who) => [who, make(people[who])])) as Record<Who, T>
const form = { name: 'Sales', code: 'SALES', leaderId: people.ben.id }
const department = await world.as(people.boss).create('/departments', form)
// A full run takes longer than a session of a test lasts.
await world.look.rows(`update sessions set expires_at = ${shifted('expires_at', '1 day')}`)
const real = { as: each((person) => obedient(world.as(person))), id: each(({ id }) => id), department }

test(`${SEQUENCES} random sequences of commands are answered as a model in memory says`, async () => {
  const figures = { sequences: 0, commands: 0, accepted: 0, answers: {} as Record<string, number> }
  let leader: Who = 'ben'
  const before = await audited()

  const sequences = fc.commands(COMMANDS, { maxCommands: LONGEST, size: '+1' })
  const property = fc.asyncProperty(sequences, async (commands) => {
    const model = await begin(real, leader)
    try {
      await fc.asyncModelRun(() => ({ model, real }), commands)
      await expectSame(model, real)
    } finally {
      leader = model.leader
      // What waits would pass to the next leader during another sequence.
      for (const { id, applicant } of model.approvals) await real.as[applicant].post(`/approvals/${id}/cancel`)
    }
    figures.sequences++
    for (const [answer, times] of Object.entries(model.answers)) {
      figures.commands += times
      if (answer < '300') figures.accepted += times
      figures.answers[answer] = (figures.answers[answer] ?? 0) + times
    }
  })
  await fc.assert(property, { seed: SEED, numRuns: SEQUENCES })

  report('model against service', [], { seed: SEED, ...figures })
  // One audit row for each command that went through, those that cleared up included.
  expect((await audited()) - before).toBeGreaterThanOrEqual(figures.accepted)
})

function audited(): Promise<number> {
  return world.look.count('select count(*) from audit_operations where status between 200 and 299')
}
