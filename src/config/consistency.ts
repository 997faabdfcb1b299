import { isCommonPassword } from '../util/text/common-passwords.ts'
import { ownerOf, type Problem, type Readings } from './environment.ts'
import { VARIABLES } from './variables.ts'

/** Values that are still checked after a problem was found, so any of them may be missing. */
type Incomplete = Partial<Readings>
type IsSet = (name: string) => boolean
/** A problem, if it is there. */
type Possible = [isThere: unknown, ...Problem]

const SHORTEST_PASSWORD = 8
const WELL_KNOWN = /^(admin123|123456|password|secret|change-?me|example|development)/i
/** Among 32 random hexadecimal digits, fewer than this are different once in a hundred thousand times. */
const FEWEST_CHARACTERS = 8
const S3_NAMES = VARIABLES.map(({ name }) => name).filter((name) => name.startsWith('S3_'))

/** What is wrong with values that are each valid by themselves. `isSet` returns whether a variable was set. */
export function contradictions(values: Incomplete, needed: readonly string[], isSet: IsSet): Problem[] {
  const possible = [
    ...(values.mode === 'production' ? inProduction(values, needed, isSet) : []),
    ...everywhere(values, isSet),
  ]
  return possible.filter(([isThere]) => isThere).map(([, name, what]) => [name, what])
}

/** Production needs secrets of its own, not the well-known ones. */
function inProduction(values: Incomplete, needed: readonly string[], isSet: IsSet): Possible[] {
  const { jwtSecret = [], encryptionKey = [], adminPassword } = values
  const isShort = adminPassword !== undefined && adminPassword.length < SHORTEST_PASSWORD
  const isKnown = 'is well known; choose another'
  return [
    [isShort, 'ADMIN_PASSWORD', `must have at least ${SHORTEST_PASSWORD} characters`],
    ...needed.map((name): Possible => [!isSet(name), name, 'production needs it']),
    [jwtSecret.some(isGuessable), 'JWT_SECRET', isKnown],
    [encryptionKey.some(isGuessable), 'ENCRYPTION_KEY', isKnown],
    [adminPassword && isKnownPassword(adminPassword), 'ADMIN_PASSWORD', isKnown],
  ]
}

function isGuessable(secret: string): boolean {
  return WELL_KNOWN.test(secret) || new Set(secret).size < FEWEST_CHARACTERS || isRepeated(secret)
}

function isKnownPassword(password: string): boolean {
  return WELL_KNOWN.test(password) || isRepeated(password) || isCommonPassword(password)
}

/** Whether a text repeats the same part throughout. */
function isRepeated(secret: string): boolean {
  const said = secret.replace(/\s/g, '')
  return (said + said).indexOf(said, 1) < said.length
}

function everywhere(values: Incomplete, isSet: IsSet): Possible[] {
  const { port, metricsPort, accessTokenTtl, refreshTokenTtl, jwtSecret, adminPassword, fileStorage } = values
  // Without the folder of its plug-in nobody listens there.
  const hasMetrics = ownerOf(['METRICS_PORT', '']) !== undefined
  const isShorter = accessTokenTtl && refreshTokenTtl && refreshTokenTtl <= accessTokenTtl
  const isS3 = fileStorage === 's3'
  const [hasId, hasSecret] = [isSet('S3_ACCESS_KEY_ID'), isSet('S3_SECRET_ACCESS_KEY')]
  const owner = 'names the owner of the database of DATABASE_URL, which is not set'
  // A variable of the storage that was not chosen is a mistake, not a leftover.
  const unread = (name: string): Possible => [isSet(name), name, 'is read only with FILE_STORAGE=s3']
  return [
    [hasMetrics && port && port === metricsPort, 'METRICS_PORT', 'must not be the PORT'],
    [isSet('MIGRATION_DATABASE_URL') && !isSet('DATABASE_URL'), 'MIGRATION_DATABASE_URL', owner],
    [isShorter, 'REFRESH_TOKEN_TTL', 'must be longer than ACCESS_TOKEN_TTL'],
    [adminPassword && jwtSecret?.includes(adminPassword), 'JWT_SECRET', 'must not be the ADMIN_PASSWORD'],
    ...(fileStorage === 'local' ? S3_NAMES.map(unread) : []),
    [isS3 && isSet('FILE_STORAGE_ROOT'), 'FILE_STORAGE_ROOT', 'is read only with FILE_STORAGE=local'],
    [isS3 && !isSet('S3_BUCKET'), 'S3_BUCKET', 'is needed with FILE_STORAGE=s3'],
    [isS3 && hasId && !hasSecret, 'S3_SECRET_ACCESS_KEY', 'is needed with S3_ACCESS_KEY_ID'],
    [isS3 && hasSecret && !hasId, 'S3_ACCESS_KEY_ID', 'is needed with S3_SECRET_ACCESS_KEY'],
    [isSet('MAIL_URL') && !isSet('MAIL_FROM'), 'MAIL_FROM', 'is needed with MAIL_URL'],
  ]
}
