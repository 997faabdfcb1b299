import { type Config, type Database, type Job, type Scope, system, type TenantId, transact } from '#atrium'
import { findResetRequest } from './account.store.ts'
import { answerReset } from './resets.actions.ts'

const MINUTE_MS = 60_000
/** Long after the response, and at no fixed time, so that nobody can tell from the next one what this one costs. */
const LATEST_MS = 400
const UNANSWERED = 'requests for new passwords were not answered yet'

/** Answers those that a killed process has left. */
export const unansweredResets: Job = {
  name: 'requests for new passwords',
  every: MINUTE_MS,
  first: 3000,
  inTenants: {
    failed: UNANSWERED,
    where: async (scope: Scope) => (await findResetRequest(scope, {})) !== undefined,
  },
  work: ({ tenantId }, { database, config }) => answerOne(database, config, tenantId),
}

/** @returns whether there was one */
function answerOne(database: Database, config: Config, tenantId: TenantId): Promise<boolean> {
  return transact(database, { tenantId, actor: system, requestId: 'resets' }, (tx) => answerReset(tx, config))
}

/** Answers requests for new passwords, after their responses. */
export function openResetAnswers(database: Database, config: Config) {
  const running = new Set<Promise<void>>()
  let isClosed = false

  async function answer(tenantId: TenantId) {
    while (!isClosed && (await answerOne(database, config, tenantId)));
  }

  return {
    giveSoon(tenantId: TenantId): void {
      setTimeout(() => {
        const work = answer(tenantId)
          .catch((error) => database.log.warn({ err: String(error), tenantId }, UNANSWERED))
          .finally(() => running.delete(work))
        running.add(work)
      }, LATEST_MS * Math.random()).unref()
    },
    /** Answers no more, and waits for those that are being answered. */
    async close(): Promise<void> {
      isClosed = true
      await Promise.all(running)
    },
  }
}
