import { type Config, readConfig } from '../../src/config.ts'

/** The configuration of a test: nothing from the outside, limits off unless the test is about them. */
export function testConfig(overrides: Record<string, string> = {}): Config {
  const environment = {
    NODE_ENV: 'test',
    PORT: '0',
    LOG_LEVEL: 'silent',
    SIGN_IN_LIMIT: '0',
    REGISTRATION_LIMIT: '0',
    ...overrides,
  }
  return readConfig(environment, () => 'a-secret-of-the-tests-that-nobody-else-has')
}
