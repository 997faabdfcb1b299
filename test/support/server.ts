import pino from 'pino'
import type { TestProject } from 'vitest/node'
import { administer, startThrowawayServer } from '../../db/tools/throwaway.ts'
import { prepareDatabase } from '../../src/start.ts'
import { testConfig } from './config.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** superuser URL of the server's maintenance database */
    serverUrl: string
  }
}

export const TEMPLATE = 'atrium_template'

/** Once for a run: one PostgreSQL, one template that is migrated and bootstrapped. Each test file clones it. */
export default async function setup(project: TestProject) {
  const server = await startThrowawayServer()
  await administer(server.url('postgres'), `create database ${TEMPLATE}`)
  const { database } = await prepareDatabase(testConfig(), server.url(TEMPLATE), pino({ level: 'silent' }))
  await database.close()
  project.provide('serverUrl', server.url('postgres'))
  return () => server.stop()
}
