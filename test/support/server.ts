import pino from 'pino'
import type { TestProject } from 'vitest/node'
import { serviceRoleOf } from '../../src/data/setup/service-role.ts'
import { prepareDatabase } from '../../src/start.ts'
import { administer, startThrowawayServer } from '../../tools/throwaway.ts'
import { testConfig } from './config.ts'
import { startPgBouncer } from './pgbouncer.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** superuser URL of the server's maintenance database */
    serverUrl: string
    /** URL of the same through a PgBouncer, with TEST_PGBOUNCER=1; else empty */
    poolerUrl: string
  }
}

export const TEMPLATE = 'atrium_template'
/** Clones of the template keep the role that it was made with. */
export const SERVICE_ROLE = serviceRoleOf(TEMPLATE)

/**
 * What a trigger announces for the release before, the statements of this one announce by themselves: the next release
 * and Citus have no such triggers.
 */
const WITHOUT_TRIGGERS = `do $$ declare found record; begin
  for found in select tgname, tgrelid::regclass as target from pg_trigger where tgfoid = 'invalidate'::regproc loop
    execute format('drop trigger %I on %s', found.tgname, found.target);
  end loop;
end $$`

/** As many as the connections of a service of a test, so that what tests hold on purpose keeps nobody else waiting. */
const SERVER_CONNECTIONS = 8

/**
 * Once for a run: one PostgreSQL, one template that is migrated and bootstrapped. Each test file clones it. With
 * TEST_PGBOUNCER=1 every service of the tests reaches its database through a PgBouncer in transaction mode.
 */
export default async function setup(project: TestProject) {
  const server = await startThrowawayServer()
  await administer(server.url('postgres'), `create database ${TEMPLATE}`)
  const DOMAINS = project.config.env?.DOMAINS ?? process.env.DOMAINS ?? ''
  const { database } = await prepareDatabase(testConfig({ DOMAINS }), server.url(TEMPLATE), pino({ level: 'silent' }))
  await database.close()
  await administer(server.url(TEMPLATE), WITHOUT_TRIGGERS)
  const direct = server.url('postgres')
  const pooler = process.env.TEST_PGBOUNCER ? await startPgBouncer(direct, SERVER_CONNECTIONS) : undefined
  project.provide('serverUrl', direct)
  project.provide('poolerUrl', pooler?.through(direct) ?? '')
  return async () => {
    await pooler?.stop()
    await server.stop()
  }
}
