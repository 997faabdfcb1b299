import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { FileSettings } from './domains/files/storage/storage.ts'

/**
 * The configuration: environment → Zod → one frozen value, read once and passed as an argument. Development needs no
 * variable at all. Every name may also be given as NAME_FILE, the path of a file that holds the value.
 */
const whole = (least: number, most: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(least).max(most))
const listOf = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)
const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

const Environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: whole(0, 65535).default(8080),
  HOST: z.string().optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  TRUST_PROXY: listOf.optional(),
  CORS_ORIGINS: listOf.optional(),

  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z.string().optional(),
  MIGRATION_DATABASE_URL: z.string().optional(),
  DATABASE_LINES: whole(1, 64).default(4),
  DATABASE_HELD_LINES: whole(1, 64).default(24),
  DATABASE_TIMEOUT_MS: whole(100, 60_000).default(5000),
  REDIS_URL: z.string().optional(),

  FILE_STORAGE: z.enum(['local', 's3']).default('local'),
  FILE_STORAGE_ROOT: z.string().optional(),
  FILE_MAX_SIZE_BYTES: whole(1, 5_368_709_120).default(10_485_760),
  S3_BUCKET: z.string().optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: z.string().optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_FORCE_PATH_STYLE: flag.optional(),

  ADMIN_PASSWORD: z.string().min(8).optional(),
  JWT_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  ACCESS_TOKEN_TTL: whole(60, 86_400).default(7200),
  REFRESH_TOKEN_TTL: whole(600, 31_536_000).default(604_800),

  SIGN_IN_LIMIT: whole(0, 1_000_000).default(10),
  REGISTRATION_LIMIT: whole(0, 1_000_000).default(20),
  CONTACT_LIMIT: whole(0, 1_000_000).default(5),
  BODY_LIMIT_BYTES: whole(1024, 104_857_600).default(1_048_576),
  PUBLIC_MAX_AGE: whole(0, 86_400).default(10),
  PUBLIC_CACHE_BYTES: whole(0, 2_147_483_647).default(33_554_432),
  AUDIT_READS: flag.default(false),
  AUDIT_RETENTION_DAYS: whole(0, 36_500).default(0),
  SHUTDOWN_DELAY_MS: whole(0, 60_000).default(0),
})

/** Every variable that is read; `.env.example` is checked against it. */
export const VARIABLES = Object.keys(Environment.shape)

export interface Config {
  production: boolean
  port: number
  host: string
  publicUrl: string | undefined
  issuer: string
  logLevel: string
  trustProxy: string[] | undefined
  /** undefined: any port of localhost (development) */
  corsOrigins: string[] | undefined
  dataDir: string
  /** undefined: the embedded server */
  databaseUrl: string | undefined
  migrationUrl: string | undefined
  databaseLines: number
  databaseHeldLines: number
  databaseTimeout: number
  redisUrl: string | undefined
  files: FileSettings
  adminPassword: string | undefined
  jwtSecret: string
  accessTokenTtl: number
  refreshTokenTtl: number
  signInLimit: number
  registrationLimit: number
  contactLimit: number
  bodyLimit: number
  publicMaxAge: number
  publicCacheBytes: number
  auditReads: boolean
  /** 0: for ever */
  auditRetentionDays: number
  shutdownDelay: number
}

/** What production must be told, because a default would be a hole. */
const REQUIRED_IN_PRODUCTION = ['DATABASE_URL', 'JWT_SECRET', 'ADMIN_PASSWORD', 'CORS_ORIGINS'] as const
const WELL_KNOWN = /^(admin123|password|secret|changeme)|^(.)\2*$/i

/**
 * Reads the configuration. `secret` gives the development key for tokens, which outlives a restart.
 * @throws Error listing every problem in one message
 */
export function readConfig(environment: Record<string, string | undefined>, secret: () => string): Config {
  const parsed = Environment.safeParse(withFiles(environment))
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`The configuration is not valid:\n${problems.join('\n')}`)
  }
  const env = parsed.data
  const files = fileSettings(env)
  const production = env.NODE_ENV === 'production'
  if (production) assertProduction(env)
  return Object.freeze({
    production,
    port: env.PORT,
    host: env.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    publicUrl: env.PUBLIC_URL,
    issuer: env.PUBLIC_URL ?? 'atrium',
    logLevel: env.LOG_LEVEL,
    trustProxy: env.TRUST_PROXY,
    corsOrigins: env.CORS_ORIGINS,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    migrationUrl: env.MIGRATION_DATABASE_URL ?? env.DATABASE_URL,
    databaseLines: env.DATABASE_LINES,
    databaseHeldLines: env.DATABASE_HELD_LINES,
    databaseTimeout: env.DATABASE_TIMEOUT_MS,
    redisUrl: env.REDIS_URL,
    files,
    adminPassword: env.ADMIN_PASSWORD,
    jwtSecret: env.JWT_SECRET ?? secret(),
    accessTokenTtl: env.ACCESS_TOKEN_TTL,
    refreshTokenTtl: env.REFRESH_TOKEN_TTL,
    signInLimit: env.SIGN_IN_LIMIT,
    registrationLimit: env.REGISTRATION_LIMIT,
    contactLimit: env.CONTACT_LIMIT,
    bodyLimit: env.BODY_LIMIT_BYTES,
    publicMaxAge: env.PUBLIC_MAX_AGE,
    publicCacheBytes: env.PUBLIC_CACHE_BYTES,
    auditReads: env.AUDIT_READS,
    auditRetentionDays: env.AUDIT_RETENTION_DAYS,
    shutdownDelay: env.SHUTDOWN_DELAY_MS,
  })
}

/** One storage or the other: what belongs to the one that was not chosen is a mistake, not a leftover. */
function fileSettings(env: z.infer<typeof Environment>): FileSettings {
  const maxSize = env.FILE_MAX_SIZE_BYTES
  if (env.FILE_STORAGE === 'local') {
    const stray = VARIABLES.find((name) => name.startsWith('S3_') && env[name as keyof typeof env] !== undefined)
    if (stray) throw new Error(`The configuration is not valid:\n  ${stray}: is read only with FILE_STORAGE=s3`)
    return { storage: 'local', maxSize, root: resolve(env.FILE_STORAGE_ROOT ?? join(env.DATA_DIR, 'files')) }
  }
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  const problems = [
    ...(env.FILE_STORAGE_ROOT ? ['FILE_STORAGE_ROOT: is read only with FILE_STORAGE=local'] : []),
    ...(bucket ? [] : ['S3_BUCKET: is needed with FILE_STORAGE=s3']),
    ...(!accessKeyId === !secretAccessKey ? [] : ['S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: belong together']),
  ]
  if (problems.length) throw new Error(`The configuration is not valid:\n  ${problems.join('\n  ')}`)
  return {
    storage: 's3',
    maxSize,
    bucket: bucket!,
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION ?? 'us-east-1',
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    forcePathStyle: env.S3_FORCE_PATH_STYLE ?? false,
    spool: resolve(env.DATA_DIR, 'spool'),
  }
}

function withFiles(environment: Record<string, string | undefined>) {
  const values: Record<string, string> = {}
  for (const name of VARIABLES) {
    const value = environment[name] || undefined
    const file = environment[`${name}_FILE`] || undefined
    if (value && file) throw new Error(`Both ${name} and ${name}_FILE are set; give one of them`)
    const found = file ? readFileSync(file, 'utf8').trim() : value
    if (found !== undefined) values[name] = found
  }
  return values
}

function assertProduction(env: z.infer<typeof Environment>) {
  const missing = REQUIRED_IN_PRODUCTION.filter((name) => env[name] === undefined)
  if (missing.length) throw new Error(`Production needs: ${missing.join(', ')}`)
  for (const name of ['JWT_SECRET', 'ADMIN_PASSWORD'] as const)
    if (WELL_KNOWN.test(env[name]!)) throw new Error(`${name} is well known; choose another`)
}
