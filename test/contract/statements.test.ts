import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'vitest'
import { numberEvents } from '../../src/data/events/number-events.ts'
import { expiredClaims, expiredVisitorClaims } from '../../src/data/jobs/expired-claims.ts'
import { deliverNotifications, enqueueNotification } from '../../src/data/outbox/outbox.ts'
import { recordActivity } from '../../src/data/tx/activities.ts'
import { raiseContentVersion } from '../../src/data/tx/announced.ts'
import { underClaim } from '../../src/data/tx/idempotency.ts'
import { nextId } from '../../src/data/tx/ids.ts'
import { EXECUTOR, type Tx } from '../../src/data/tx/scope.ts'
import type { Database } from '../../src/data/wire/database.ts'
import type { Call, Prepared } from '../../src/data/wire/flight.ts'
import { visitor } from '../../src/kernel/actor.ts'
import { expectGolden } from '../support/domains.ts'
import { eavesdropper } from '../support/eavesdropper.ts'
import { expectNone } from '../support/expect-none.ts'
import { listStatements, PAGES } from '../support/statements.ts'

/**
 * The SQL of every statement, for the eye of the reviewer: `statements.sql` is compared with what the stores build.
 * Each statement is built in its shapes: without what may be left out, with each of it, with all.
 */
test('the SQL of every statement is the one that was reviewed', async () => {
  const { tx, heard } = eavesdropper(42)
  const told: { domain: string | undefined; line: string }[] = []
  const refused: string[] = []
  /** Builds the statement, and tells it or why it could not be built. */
  const tell = async (name: string, domain: string | undefined, build: () => unknown) => {
    const failed = await Promise.race([Promise.try(build).then(() => undefined, String), turn()])
    const calls = heard.splice(0)
    for (const { prepared } of calls) {
      const line = `-- ${name}\n${layOut(prepared)};\n`
      if (told.at(-1)?.line !== line) told.push({ domain, line })
    }
    if (failed) refused.push(`${name}: ${failed}`)
    else if (calls.length === 0) refused.push(`${name} sends no statement: each function of a store sends one`)
  }
  for (const { name, domain, call, shapes } of listStatements())
    for (const [index, params] of shapes.entries()) {
      for (const page of index === 0 ? PAGES.slice(0, 3) : PAGES.slice(3))
        await tell(`${name}(${Object.keys(params).join(', ')})`, domain, () => call(tx, params, page))
    }
  for (const [name, action] of Object.entries(ofData)) await tell(`data.${name}`, undefined, () => action(tx))

  expectNone(refused)
  await expectGolden({ file: 'statements.sql', means: 'The SQL of a statement has changed' }, (of) =>
    told
      .filter(({ domain }) => domain === of)
      .map(({ line }) => line)
      .join('\n'),
  )
})

/** A database that sends what is entered as its second statement. */
const sendingIn = (tx: Tx<any>) =>
  ({
    entering: () => undefined,
    send: (_: number, [, call]: Call[]) => tx[EXECUTOR].run(tx.tenantId, call!, undefined),
  }) as unknown as Database

const ofData: Record<string, (tx: Tx<any>) => unknown> = {
  nextId: (tx) => nextId(tx, 'tasks'),
  recordActivity: (tx) => recordActivity(tx, { projectId: 1, action: 'PROJECT_CREATED', version: 0 }),
  enqueueNotification: (tx) =>
    enqueueNotification(tx, {
      type: 'TASK_ASSIGNED',
      facts: { title: '' },
      resourceType: 'task',
      resourceId: 1,
      receivers: [8],
    }),
  deliverNotifications: (tx) => deliverNotifications(sendingIn(tx), tx.tenantId),
  numberEvents: (tx) => numberEvents(sendingIn(tx), tx.tenantId),
  raiseContentVersion: (tx) => raiseContentVersion(tx, { id: 1 }),
  claim: (tx) => underClaim(tx, { key: 'key', gatekeeper: undefined }, async () => {}),
  claimOfVisitor: (tx) => underClaim({ ...tx, actor: visitor }, { key: 'key', gatekeeper: undefined }, async () => {}),
  expiredClaims: (tx) => expiredClaims.remove(tx, 1000),
  expiredVisitorClaims: (tx) => expiredVisitorClaims.remove(tx, 1000),
}

/** One clause a line, so that a difference shows its place. */
function layOut({ text }: Prepared): string {
  return text.replace(
    / (from|where|inner join|left join|order by|limit|set|values|returning|on conflict|for update|for share|for key share) /g,
    '\n  $1 ',
  )
}
