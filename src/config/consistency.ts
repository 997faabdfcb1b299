import { isCommonPassword } from '../util/text/common-passwords.ts'
import { ownerOf, type Problem, type Readings } from './environment.ts'
import { BY_KEY, VARIABLES } from './variables.ts'

/** Values that are still checked after a problem was found, so any of them may be missing. */
type Incomplete = Partial<Readings>

const SHORTEST_PASSWORD = 8
const WELL_KNOWN = /^(admin123|123456|password|secret|change-?me|example|development)/i
/** Among 32 random hexadecimal digits, fewer than this are different once in a hundred thousand times. */
const FEWEST_CHARACTERS = 8
const S3_NAMES = VARIABLES.map(({ name }) => name).filter((name) => name.startsWith('S3_'))

/** What is wrong with values that are each valid by themselves. `isSet` returns whether a variable was set. */
export function contradictions(
  values: Incomplete,
  needed: readonly string[],
  isSet: (name: string) => boolean,
): Problem[] {
  return [
    ...(values.mode === 'production' ? unfitForProduction(values, needed, isSet) : []),
    ...ofThePorts(values),
    ...ofTheDatabase(isSet),
    ...ofTheTokens(values),
    ...ofTheFiles(values.fileStorage, isSet),
    ...ofTheMail(isSet),
  ]
}

/** Production needs secrets of its own, not the well-known ones. */
function unfitForProduction(
  values: Incomplete,
  needed: readonly string[],
  isSet: (name: string) => boolean,
): Problem[] {
  const missing = needed.filter((name) => !isSet(name))
  const { jwtSecret = [], encryptionKey = [], adminPassword = '' } = values
  const known = [
    ...(jwtSecret.some(isGuessable) ? (['jwtSecret'] as const) : []),
    ...(encryptionKey.some(isGuessable) ? (['encryptionKey'] as const) : []),
    ...(WELL_KNOWN.test(adminPassword) || isRepeated(adminPassword) || isCommonPassword(adminPassword)
      ? (['adminPassword'] as const)
      : []),
  ]
  const isShort = (values.adminPassword?.length ?? SHORTEST_PASSWORD) < SHORTEST_PASSWORD
  return [
    ...(isShort ? [['ADMIN_PASSWORD', `must have at least ${SHORTEST_PASSWORD} characters`] as const] : []),
    ...missing.map((name) => [name, 'production needs it'] as const),
    ...known.map((key) => [BY_KEY[key].name, 'is well known; choose another'] as const),
  ]
}

function isGuessable(secret: string): boolean {
  return WELL_KNOWN.test(secret) || new Set(secret).size < FEWEST_CHARACTERS || isRepeated(secret)
}

/** Whether a text repeats the same part throughout. */
function isRepeated(secret: string): boolean {
  const said = secret.replace(/\s/g, '')
  return (said + said).indexOf(said, 1) < said.length
}

/** Without the folder of its plug-in nobody listens there. */
function ofThePorts({ port, metricsPort }: Incomplete): Problem[] {
  const isRead = ownerOf(['METRICS_PORT', '']) !== undefined
  return isRead && port && port === metricsPort ? [['METRICS_PORT', 'must not be the PORT']] : []
}

function ofTheDatabase(isSet: (name: string) => boolean): Problem[] {
  if (!isSet('MIGRATION_DATABASE_URL') || isSet('DATABASE_URL')) return []
  return [['MIGRATION_DATABASE_URL', 'names the owner of the database of DATABASE_URL, which is not set']]
}

function ofTheTokens({ accessTokenTtl, refreshTokenTtl, jwtSecret, adminPassword }: Incomplete): Problem[] {
  const problems: Problem[] = []
  if (accessTokenTtl && refreshTokenTtl && refreshTokenTtl <= accessTokenTtl)
    problems.push(['REFRESH_TOKEN_TTL', 'must be longer than ACCESS_TOKEN_TTL'])
  if (adminPassword && jwtSecret?.includes(adminPassword))
    problems.push(['JWT_SECRET', 'must not be the ADMIN_PASSWORD'])
  return problems
}

function ofTheMail(isSet: (name: string) => boolean): Problem[] {
  return isSet('MAIL_URL') && !isSet('MAIL_FROM') ? [['MAIL_FROM', 'is needed with MAIL_URL']] : []
}

/** A variable of the storage that was not chosen is a mistake, not a leftover. */
function ofTheFiles(storage: Incomplete['fileStorage'], isSet: (name: string) => boolean): Problem[] {
  if (storage === 'local') return S3_NAMES.filter(isSet).map((name) => [name, 'is read only with FILE_STORAGE=s3'])
  if (storage !== 's3') return []
  const problems: Problem[] = []
  if (isSet('FILE_STORAGE_ROOT')) problems.push(['FILE_STORAGE_ROOT', 'is read only with FILE_STORAGE=local'])
  if (!isSet('S3_BUCKET')) problems.push(['S3_BUCKET', 'is needed with FILE_STORAGE=s3'])
  return [...problems, ...ofThePair('S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', isSet)]
}

function ofThePair(one: string, other: string, isSet: (name: string) => boolean): Problem[] {
  if (isSet(one) === isSet(other)) return []
  const [set, missing] = isSet(one) ? [one, other] : [other, one]
  return [[missing, `is needed with ${set}`]]
}
