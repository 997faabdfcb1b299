import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TenantId, UserId } from '../kernel/actor.ts'
import { cold, compile, TENANT } from './compile.ts'
import type { Database } from './database.ts'
import { ask, type News, type Scope, type Tx } from './scope.ts'
import { directory, write } from './statement.ts'

/**
 * News waits in the outbox from its commit on, and becomes notifications by one statement that takes the rows out and
 * puts the notifications in: nothing to lose between the two, nothing to double. A process that is killed leaves its
 * news to the sweep of any other, or to its own next start.
 */
const insertNews = write(
  (
    { insert },
    p: {
      type: string
      title: string
      content: string | null
      resourceType: string
      resourceId: number
      receivers: number[]
      createdAt: string
    },
  ) => insert('outbox', p),
)

/** Puts the news into the transaction's outbox, as a rule for everybody but the actor. False when there is nobody to tell. */
export function announce(tx: Tx, news: News): boolean {
  const receivers = [...new Set(news.receivers)].filter((id) => news.actorToo || id !== tx.actor.id)
  if (receivers.length === 0) return false
  insertNews(tx, {
    type: news.type,
    title: news.title,
    content: news.content ?? null,
    resourceType: news.resourceType,
    resourceId: news.resourceId,
    receivers,
    createdAt: tx.now,
  })
  return true
}

const BATCH = 500
const tenant = TENANT as unknown as TenantId
const deliver = compile((_: object) =>
  cold
    .with('taken', (db) =>
      db
        .deleteFrom('outbox')
        .where('outbox.tenantId', '=', tenant)
        .where('outbox.id', 'in', (eb) =>
          eb
            .selectFrom('outbox as waiting')
            .select('waiting.id')
            .where('waiting.tenantId', '=', tenant)
            .orderBy('waiting.id')
            .limit(BATCH)
            .forUpdate()
            .skipLocked(),
        )
        .returning([
          'outbox.tenantId',
          'outbox.id',
          'outbox.type',
          'outbox.title',
          'outbox.content',
          'outbox.resourceType',
          'outbox.resourceId',
          'outbox.receivers',
          'outbox.createdAt',
        ]),
    )
    .insertInto('notifications')
    .columns([
      'tenantId',
      'receiverId',
      'eventId',
      'type',
      'title',
      'content',
      'resourceType',
      'resourceId',
      'createdAt',
    ])
    .expression((eb) =>
      eb
        .selectFrom('taken')
        // A receiver who was deleted meanwhile has no inbox any more, and must not hold up the news of the others.
        .innerJoin('users', (join) =>
          join
            .on('users.tenantId', '=', tenant)
            .on('users.deletedAt', 'is', null)
            .on(sql<boolean>`users.id = any(taken.receivers)`),
        )
        .select([
          'taken.tenantId',
          'users.id as receiver',
          'taken.id',
          'taken.type',
          'taken.title',
          'taken.content',
          'taken.resourceType',
          'taken.resourceId',
          'taken.createdAt',
        ])
        .orderBy('taken.id'),
    )
    .onConflict((conflict) => conflict.columns(['tenantId', 'receiverId', 'eventId']).doNothing())
    .returning('notifications.receiverId'),
)

/**
 * Turns the waiting news of the scope's tenant into notifications, in one flight for each 500 events.
 * @returns who has got some, each once
 */
export async function deliverNews(scope: Scope): Promise<UserId[]> {
  const receivers = new Set<UserId>()
  for (;;) {
    const { rows } = await ask(scope, deliver(scope.tenantId, {}), undefined)
    for (const { receiverId } of rows) receivers.add(receiverId as UserId)
    if (rows.length < BATCH) return [...receivers]
  }
}

const listTenantIds = directory.list((from, _: object) => from('tenants').select('tenants.id').orderBy('tenants.id'))

/**
 * Sweeps every tenant's outbox at once and then every few seconds, for the news of processes that were killed between
 * their commit and the delivery. With many tenants it sweeps more rarely: the pause is 50 times what a sweep takes.
 */
export function startCourier(
  database: Database,
  scopeOf: (tenantId: TenantId) => Scope,
  pause = 5000,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }

  async function run() {
    while (!stopping.signal.aborted) {
      const start = performance.now()
      await sweep().catch((error) => {
        database.tally.undelivered++
        database.log.warn({ err: String(error) }, 'the outbox could not be swept')
      })
      const wait = Math.max(pause, 50 * (performance.now() - start))
      await sleep(wait, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }

  async function sweep() {
    for (const { id } of await listTenantIds(scopeOf(0), {})) {
      if (stopping.signal.aborted) return
      database.bell.ring(id, await deliverNews(scopeOf(id)))
    }
  }
}
