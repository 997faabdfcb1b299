import { setImmediate as turn } from 'node:timers/promises'
import { numberEvents } from '../../src/data/events/number-events.ts'
import { expiredClaims, expiredVisitorClaims } from '../../src/data/jobs/remove-oldest.ts'
import { deliverNotifications, enqueueNotification } from '../../src/data/outbox/outbox.ts'
import { recordActivity } from '../../src/data/tx/activities.ts'
import { raiseContentVersion } from '../../src/data/tx/announced.ts'
import { underClaim } from '../../src/data/tx/idempotency.ts'
import { nextId } from '../../src/data/tx/ids.ts'
import { EXECUTOR, type Tx } from '../../src/data/tx/scope.ts'
import { endSecretsOf } from '../../src/data/tx/secrets.ts'
import type { Database } from '../../src/data/wire/database.ts'
import type { Call } from '../../src/data/wire/flight.ts'
import { visitor } from '../../src/kernel/actor.ts'
import { eavesdropper } from './eavesdropper.ts'
import { listStatements, PAGES } from './statements.ts'

/** A statement as it is sent: with the domain from outside the core whose store builds it. */
export interface Built {
  /** with the parameters of the shape: `tasks.listTasks(status)` */
  name: string
  domain: string | undefined
  text: string
}

/**
 * Builds each statement of the stores and of `data` in its shapes: without what may be left out, with each of it, with all.
 * @returns the statements, and a sentence for each that could not be built
 */
export async function buildStatements(): Promise<{ built: Built[]; refused: string[] }> {
  const { tx, heard } = eavesdropper(42)
  const built: Built[] = []
  const refused: string[] = []
  const build = async (name: string, domain: string | undefined, action: () => unknown) => {
    const failed = await Promise.race([Promise.try(action).then(() => undefined, String), turn()])
    const calls = heard.splice(0)
    for (const { prepared } of calls) built.push({ name, domain, text: prepared.text })
    if (failed) refused.push(`${name}: ${failed}`)
    else if (calls.length === 0) refused.push(`${name} sends no statement: each function of a store sends one`)
  }
  for (const { name, domain, call, shapes } of listStatements())
    for (const [index, params] of shapes.entries()) {
      for (const page of index === 0 ? PAGES.slice(0, 3) : PAGES.slice(3))
        await build(`${name}(${Object.keys(params).join(', ')})`, domain, () => call(tx, params, page))
    }
  for (const [name, action] of Object.entries(ofData)) await build(`data.${name}`, undefined, () => action(tx))
  return { built, refused }
}

/** A database that sends what is entered as its second statement. */
const sendingIn = (tx: Tx<any>) =>
  ({
    entering: () => undefined,
    send: (_: number, [, call]: Call[]) => tx[EXECUTOR].run(tx.tenantId, call!, undefined),
  }) as unknown as Database

const ofData: Record<string, (tx: Tx<any>) => unknown> = {
  nextId: (tx) => nextId(tx, 'tasks'),
  recordActivity: (tx) => recordActivity(tx, { projectId: 1, action: 'PROJECT_CREATED', version: 0 }),
  endSecretsOf: (tx) => endSecretsOf(tx, { userId: 8 }),
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
