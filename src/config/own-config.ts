import { resolve } from 'node:path'
import { type Config, readConfig } from './config.ts'
import { developmentSecret } from './secret.ts'

/**
 * The configuration of the service in this folder, for the service itself and for programs beside it: what one of them
 * signs or encrypts, the others accept. In development the key is made once and kept beside the data.
 * @throws Error that names every variable that is wrong
 */
export function readOwnConfig(environment: NodeJS.ProcessEnv): Config {
  return readConfig(environment, () => developmentSecret(resolve(environment.DATA_DIR || '.data')))
}
