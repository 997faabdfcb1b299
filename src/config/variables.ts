import type { z } from 'zod'
import {
  choice,
  count,
  flag,
  httpUrl,
  items,
  mailSender,
  mailUrl,
  networks,
  origins,
  plans,
  postgresUrl,
  processes,
  redisUrl,
  renewals,
  secrets,
  share,
  text,
  webhookSecret,
  whole,
} from './kinds.ts'

/** One variable of the environment. `about.json` says what it does, and what applies without it. */
export interface Variable<Type extends z.ZodType = z.ZodType> {
  name: string
  type: Type
  /** production does not start without it, because a default would be a hole */
  needed?: true
  /** must not be shown; of an address only the password */
  hidden?: 'whole' | 'password'
}

function env<Type extends z.ZodType>(
  name: string,
  type: Type,
  more: Pick<Variable, 'needed' | 'hidden'> = {},
): Variable<Type> {
  return { name, type, ...more }
}

const PASSWORD = { hidden: 'password' } as const
const SECRET = { hidden: 'whole' } as const
const NEEDED = { needed: true } as const

const service = {
  mode: env('NODE_ENV', choice('development', 'production', 'test').default('development')),
  plugins: env('PLUGINS', items.default(['all'])),
  domains: env('DOMAINS', items.default([])),
  port: env('PORT', whole(0, 65_535).default(8080)),
  host: env('HOST', text.optional()),
  workers: env('WORKERS', processes.default(1)),
  publicUrl: env('PUBLIC_URL', httpUrl.optional()),
  accountUrl: env('ACCOUNT_URL', httpUrl.optional()),
  trustProxy: env('TRUST_PROXY', networks.optional()),
  corsOrigins: env('CORS_ORIGINS', origins.optional(), NEEDED),
  bodyLimit: env('BODY_LIMIT_BYTES', whole(1024, 104_857_600).default(1_048_576)),
  docs: env('DOCUMENTATION_PAGE', flag.optional()),
  console: env('CONSOLE', flag.optional()),
  firstRegistration: env('FIRST_TENANT_REGISTRATION', choice('open', 'closed').default('open')),
  connectionsMost: env('CONNECTIONS', count.default(20_000)),
  commit: env('COMMIT', text.optional()),
  shutdownDelay: env('SHUTDOWN_DELAY_MS', whole(0, 60_000).default(0)),
}

/** What the operator sells to tenants, and how it is paid. */
const sales = {
  renewals: env('RENEWALS', renewals.optional()),
  plans: env('PLANS', plans.optional()),
  paymentsDemoSecret: env('PAYMENTS_DEMO_SECRET', webhookSecret.optional(), SECRET),
  stripeWebhookSecret: env('STRIPE_WEBHOOK_SECRET', webhookSecret.optional(), SECRET),
}

const data = {
  dataDir: env('DATA_DIR', text.default('.data')),
  databaseUrl: env('DATABASE_URL', postgresUrl.optional(), { ...PASSWORD, ...NEEDED }),
  migrationUrl: env('MIGRATION_DATABASE_URL', postgresUrl.optional(), PASSWORD),
  databaseLines: env('DATABASE_LINES', whole(1, 64).default(4)),
  databaseWriteLines: env('DATABASE_WRITE_LINES', whole(1, 64).default(8)),
  databaseHeldLines: env('DATABASE_HELD_LINES', whole(1, 64).default(16)),
  databaseSearchConnections: env('DATABASE_SEARCH_CONNECTIONS', whole(1, 16).default(2)),
  databaseTimeout: env('DATABASE_TIMEOUT_MS', whole(100, 60_000).default(5000)),
  allowDowngrade: env('ALLOW_DOWNGRADE', flag.default(false)),
  databasePooled: env('DATABASE_POOLER', flag.default(false)),
  replicaUrl: env('DATABASE_REPLICA_URL', postgresUrl.optional(), PASSWORD),
  redisUrl: env('REDIS_URL', redisUrl.optional(), PASSWORD),
}

const files = {
  fileStorage: env('FILE_STORAGE', choice('local', 's3').default('local')),
  fileStorageRoot: env('FILE_STORAGE_ROOT', text.optional()),
  fileMaxSize: env('FILE_MAX_SIZE_BYTES', whole(1, 5_368_709_120).default(10_485_760)),
  fileQuota: env('FILE_QUOTA_BYTES', whole(0, 999_999_999_999_999).default(0)),
  fileQuarantineDays: env('FILE_QUARANTINE_DAYS', whole(1, 3650).default(30)),
  s3Bucket: env('S3_BUCKET', text.optional()),
  s3Endpoint: env('S3_ENDPOINT', httpUrl.optional()),
  s3Region: env('S3_REGION', text.optional()),
  s3AccessKeyId: env('S3_ACCESS_KEY_ID', text.optional()),
  s3SecretAccessKey: env('S3_SECRET_ACCESS_KEY', text.optional(), SECRET),
  s3ForcePathStyle: env('S3_FORCE_PATH_STYLE', flag.optional()),
}

const mail = {
  mailUrl: env('MAIL_URL', mailUrl.optional(), { hidden: 'password' }),
  mailFrom: env('MAIL_FROM', mailSender.optional()),
  mailConnections: env('MAIL_CONNECTIONS', whole(1, 100).default(10)),
}

const webhooks = {
  webhookPrivateAddresses: env('WEBHOOK_PRIVATE_ADDRESSES', flag.default(false)),
  webhookConnections: env('WEBHOOK_CONNECTIONS', whole(1, 1000).default(100)),
}

const signIn = {
  adminPassword: env('ADMIN_PASSWORD', text.min(6, 'must have at least 6 characters').optional(), {
    ...SECRET,
    ...NEEDED,
  }),
  jwtSecret: env('JWT_SECRET', secrets.optional(), { ...SECRET, ...NEEDED }),
  encryptionKey: env('ENCRYPTION_KEY', secrets.optional(), SECRET),
  accessTokenTtl: env('ACCESS_TOKEN_TTL', whole(60, 86_400).default(7200)),
  refreshTokenTtl: env('REFRESH_TOKEN_TTL', whole(600, 31_536_000).default(604_800)),
  sessionLifetime: env('SESSION_LIFETIME', whole(0, 31_536_000).default(0)),
}

/** How often things may be done, how many at the same time, and what tenants may lead the service to. */
const limits = {
  signInLimit: env('SIGN_IN_LIMIT', count.default(10)),
  registrationLimit: env('REGISTRATION_LIMIT', count.default(20)),
  refreshLimit: env('REFRESH_LIMIT', count.optional()),
  resetLimit: env('RESET_LIMIT', count.default(3)),
  mailLimit: env('MAIL_LIMIT', count.default(5)),
  commentLimit: env('COMMENT_LIMIT', count.optional()),
  contactLimit: env('CONTACT_LIMIT', count.default(5)),
  uploadLimit: env('UPLOAD_LIMIT', count.optional()),
  checkoutLimit: env('CHECKOUT_LIMIT', count.optional()),
  unknownKeyLimit: env('UNKNOWN_KEY_LIMIT', count.default(300)),
  requestLimit: env('REQUEST_LIMIT', count.default(0)),
  streamsMost: env('STREAMS', count.default(5000)),
  streamsPerUser: env('STREAMS_PER_USER', whole(1, 1000).default(12)),
  // The client counts a stream as lost after 70 s of silence.
  streamHeartbeat: env('STREAM_HEARTBEAT_MS', whole(100, 30_000).default(20_000)),
  overloadDelay: env('OVERLOAD_DELAY_MS', whole(0, 60_000).default(500)),
  oidcPrivateAddresses: env('OIDC_PRIVATE_ADDRESSES', flag.default(false)),
}

const publicPages = {
  publicMaxAge: env('PUBLIC_MAX_AGE', whole(0, 86_400).default(10)),
  publicCacheBytes: env('PUBLIC_CACHE_BYTES', whole(0, 2_147_483_647).default(67_108_864)),
}

const observation = {
  logLevel: env('LOG_LEVEL', choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info')),
  metricsPort: env('METRICS_PORT', whole(0, 65_535).default(9464)),
  metricsHost: env('METRICS_HOST', text.default('127.0.0.1')),
  traceEndpoint: env('OTEL_EXPORTER_OTLP_ENDPOINT', httpUrl.optional()),
  serviceName: env('OTEL_SERVICE_NAME', text.default('atrium')),
  traceShare: env('OTEL_TRACES_SAMPLER_ARG', share.default(1)),
  auditReads: env('AUDIT_READS', flag.default(false)),
  auditRetentionDays: env('AUDIT_RETENTION_DAYS', whole(0, 36_500).default(0)),
  eventsDays: env('EVENTS_DAYS', whole(0, 36_500).default(30)),
}

/**
 * Every variable that is read, in the order of `.env.example`, which is written from this. A new one is one line above
 * and one in `about.json`: its key is its name in `Config`, and its type parses the text.
 */
export const SECTIONS = [service, sales, data, files, mail, webhooks, signIn, limits, publicPages, observation]
export const BY_KEY = {
  ...service,
  ...sales,
  ...data,
  ...files,
  ...mail,
  ...webhooks,
  ...signIn,
  ...limits,
  ...publicPages,
  ...observation,
}

/** Every variable by itself. */
export const VARIABLES: readonly Variable[] = Object.values(BY_KEY)
