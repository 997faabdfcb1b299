import { createHmac } from 'node:crypto'
import { join, resolve } from 'node:path'
import { type Build, commitOf, VERSION } from './build.ts'
import { contradictions } from './consistency.ts'
import { type Environment, ownerOf, type Problem, type Readings, readVariables } from './environment.ts'
import type { FileSettings } from './file-settings.ts'
import { VARIABLES } from './variables.ts'

/** The configuration: one plain, frozen value, read once and passed as an argument. */
export interface Config
  extends Readonly<Omit<Readings, 'mode' | 'jwtSecret' | 'encryptionKey' | Decided>>,
    Readonly<Record<OffInDevelopment, number>> {
  readonly production: boolean
  /** the names of the variables that are set, in the environment or by a file */
  readonly given: readonly string[]
  /** what is wrong with variables of plug-ins that PLUGINS does not name; it counts if others bring these along */
  readonly heldBack: readonly Problem[]
  readonly build: Build
  readonly host: string
  /** names this service in tokens */
  readonly issuer: string
  /** the first signs, all verify */
  readonly jwtSecrets: readonly [string, ...string[]]
  /** the first encrypts stored secrets, all decrypt: those of ENCRYPTION_KEY, then those of tokens */
  readonly sealingSecrets: readonly [string, ...string[]]
  readonly files: FileSettings
  /** whether `/docs` and `/openapi.json` are served */
  readonly docs: boolean
}
/** What holds without these depends on others. */
type Decided = 'host' | 'commit' | 'docs' | OffInDevelopment
type OffInDevelopment = 'uploadLimit' | 'checkoutLimit' | 'refreshLimit' | 'commentLimit'

/** Its message is fit for a terminal. */
export class InvalidConfiguration extends Error {
  override name = 'InvalidConfiguration'
  readonly problems: readonly Problem[]
  constructor(problems: readonly Problem[]) {
    super(`The configuration is not valid:\n${problems.map(([name, what]) => `  ${name}: ${what}`).join('\n')}`)
    this.problems = problems
  }
}

/** What production must set, because a default would be a hole. */
const NEEDED = VARIABLES.filter(({ needed }) => needed).map(({ name }) => name)

/**
 * Reads the configuration. `secret` returns the development key for tokens, which survives a restart; `needed` names
 * what production must set. What is wrong with a plug-in that PLUGINS does not name is left to `loadDomains`.
 * @throws InvalidConfiguration with every problem in one message, and never a value
 */
export function readConfig(environment: Environment, secret: () => string, needed = NEEDED): Config {
  const { readings, problems, sourceOf } = readVariables(environment)
  problems.push(...contradictions(readings, needed, (name) => sourceOf(name) !== 'default'))
  const heldBack = problems.filter((problem) => !isNamed(ownerOf(problem), readings.plugins))
  if (heldBack.length < problems.length)
    throw new InvalidConfiguration(problems.filter((problem) => !heldBack.includes(problem)))
  const { mode, jwtSecret, encryptionKey = [], commit, ...given } = readings
  const production = mode === 'production'
  const [first, ...former] = jwtSecret ?? []
  const jwtSecrets: Config['jwtSecrets'] = [first ?? secret(), ...former]
  return Object.freeze({
    ...given,
    production,
    heldBack,
    given: VARIABLES.map(({ name }) => name).filter((name) => sourceOf(name) !== 'default'),
    build: { version: VERSION, commit: commit ?? commitOf() },
    host: given.host ?? (production ? '0.0.0.0' : '127.0.0.1'),
    issuer: given.publicUrl ?? 'atrium',
    jwtSecrets,
    sealingSecrets: [...encryptionKey, ...jwtSecrets] as unknown as Config['sealingSecrets'],
    files: fileSettings(readings),
    uploadLimit: given.uploadLimit ?? (production ? 300 : 0),
    paymentsDemoSecret: given.paymentsDemoSecret ?? (production ? undefined : demoSecretFrom(jwtSecrets[0])),
    checkoutLimit: given.checkoutLimit ?? (production ? 60 : 0),
    refreshLimit: given.refreshLimit ?? (production ? 600 : 0),
    docs: given.docs ?? !production,
    commentLimit: given.commentLimit ?? (production ? 60 : 0),
  })
}

/** Whether PLUGINS names a plug-in. @param plugin undefined for the core, which is always there */
function isNamed(plugin: string | undefined, plugins: readonly string[]): boolean {
  return plugin === undefined || plugins[0] === 'all' || plugins.includes(plugin)
}

/** In development the payment provider and the service know the same secret without a variable. */
function demoSecretFrom(secret: string): string {
  return `whsec_${createHmac('sha256', secret).update('payments').digest('base64')}`
}

function fileSettings(files: Readings): FileSettings {
  const maxSize = files.fileMaxSize
  if (files.fileStorage === 'local')
    return { storage: 'local', maxSize, root: resolve(files.fileStorageRoot ?? join(files.dataDir, 'files')) }
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = files
  return {
    storage: 's3',
    maxSize,
    bucket: files.s3Bucket!,
    endpoint: files.s3Endpoint,
    region: files.s3Region ?? 'us-east-1',
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    forcePathStyle: files.s3ForcePathStyle ?? false,
    spool: resolve(files.dataDir, 'spool'),
  }
}
