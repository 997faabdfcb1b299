import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '../../src/config/config.ts'
import { CONNECTIONS } from './servers.ts'

/** Signs the tokens of the tests; a test of forged tokens signs with it too. */
export const TEST_SECRET = 'a-secret-of-the-tests-that-nobody-else-has'

/** A folder of its own for a service, which it makes itself; the run of the tests removes them all. */
export function newDataDir(): string {
  return join(tmpdir(), `atrium-test-${randomUUID()}`)
}

/** The configuration of a test: nothing from the outside, limits off unless the test is about them. */
export function testConfig(overrides: Record<string, string> = {}): Config {
  const environment = {
    NODE_ENV: 'test',
    DOMAINS: process.env.DOMAINS,
    PORT: '0',
    METRICS_PORT: '0',
    // A machine that is busy with other tests is no overload of the service.
    OVERLOAD_DELAY_MS: '0',
    DATABASE_TIMEOUT_MS: process.env.TEST_DATABASE_TIMEOUT_MS,
    LOG_LEVEL: 'silent',
    DATA_DIR: newDataDir(),
    SIGN_IN_LIMIT: '0',
    REGISTRATION_LIMIT: '0',
    MAIL_LIMIT: '0',
    // Receivers of tests are on this machine, and no name is looked up.
    WEBHOOK_PRIVATE_ADDRESSES: 'true',
    ...CONNECTIONS,
    ...overrides,
  }
  return readConfig(environment, () => TEST_SECRET)
}

/** What production needs; the database of a test is another. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://nobody@localhost/nothing',
  JWT_SECRET: 'nHk2vQ8rT5wYp1zXc4bM7dLg9sJf3aUe6iKo',
  CORS_ORIGINS: 'https://app.example',
  ADMIN_PASSWORD: 'a long and winding road',
}
