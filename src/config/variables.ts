import {
  choice,
  count,
  flag,
  httpUrl,
  items,
  networks,
  origins,
  postgresUrl,
  processes,
  redisUrl,
  secrets,
  share,
  text,
  whole,
} from './kinds.ts'
import { limits } from './sections/limits.ts'
import { mail, webhooks } from './sections/outgoing.ts'
import { sales } from './sections/sales.ts'
import { env, type Variable } from './variable.ts'

const PASSWORD = { hidden: 'password' } as const
const SECRET = { hidden: 'whole' } as const

const service = {
  mode: env(
    'NODE_ENV',
    choice('development', 'production', 'test').default('development'),
    'development, production or test; production does not start without the variables that it needs',
  ),
  plugins: env('PLUGINS', items.default(['all']), 'the plug-ins that are on: all, none, or names with commas'),
  domains: env('DOMAINS', items.default([]), 'additional domains from outside: folders or files, separated by commas'),
  port: env('PORT', whole(0, 65_535).default(8080), 'the port of the API'),
  host: env('HOST', text.optional(), 'the address to listen on; by default 127.0.0.1, in production 0.0.0.0'),
  workers: env('WORKERS', processes.default(1), 'processes that listen on one port; auto starts one for each core'),
  publicUrl: env('PUBLIC_URL', httpUrl.optional(), 'the address that clients use; becomes the issuer of tokens'),
  accountUrl: env(
    'ACCOUNT_URL',
    httpUrl.optional(),
    'the address of your own pages for links that are mailed: links then lead to invitation, password and email below it; by default to /account/ below PUBLIC_URL, in development below http://localhost:PORT',
  ),
  trustProxy: env(
    'TRUST_PROXY',
    networks.optional(),
    "CIDR blocks of the proxies in front, separated by commas; only these may name a client's address",
  ),
  corsOrigins: env(
    'CORS_ORIGINS',
    origins.optional(),
    'origins of the front ends, separated by commas; by default any port of localhost',
    { needed: true },
  ),
  bodyLimit: env('BODY_LIMIT_BYTES', whole(1024, 104_857_600).default(1_048_576), 'the largest body'),
  docs: env(
    'DOCUMENTATION_PAGE',
    flag.optional(),
    'whether /docs and /openapi.json are served; by default they are, in production they are not',
  ),
  console: env('CONSOLE', flag.optional(), 'whether /console/ is served; by default it is, in production it is not'),
  firstRegistration: env(
    'FIRST_TENANT_REGISTRATION',
    choice('open', 'closed').default('open'),
    'whether strangers may register in the first tenant when it is made',
  ),
  connectionsMost: env(
    'CONNECTIONS',
    count.default(20_000),
    'how many connections this process holds open; one more is closed; 0 means no bound',
  ),
  commit: env('COMMIT', text.optional(), 'the commit reported to operators; by default the one that is checked out'),
  shutdownDelay: env(
    'SHUTDOWN_DELAY_MS',
    whole(0, 60_000).default(0),
    'how long the service reports that it is not ready before it stops listening',
  ),
}

const data = {
  dataDir: env('DATA_DIR', text.default('.data'), 'where the embedded PostgreSQL and the development secret live'),
  databaseUrl: env('DATABASE_URL', postgresUrl.optional(), 'postgres://…; by default an embedded server', {
    ...PASSWORD,
    needed: true,
  }),
  migrationUrl: env(
    'MIGRATION_DATABASE_URL',
    postgresUrl.optional(),
    'the same database as its owner, if DATABASE_URL is a role with fewer rights',
    PASSWORD,
  ),
  databaseLines: env('DATABASE_LINES', whole(1, 64).default(4), 'connections shared by the reads of all requests'),
  databaseWriteLines: env('DATABASE_WRITE_LINES', whole(1, 64).default(8), 'connections shared by their writes'),
  databaseHeldLines: env(
    'DATABASE_HELD_LINES',
    whole(1, 64).default(16),
    'connections for transactions that take locks, one for each',
  ),
  databaseSearchConnections: env(
    'DATABASE_SEARCH_CONNECTIONS',
    whole(1, 16).default(2),
    'connections for searches and other expensive reads, one at a time each',
  ),
  databaseTimeout: env(
    'DATABASE_TIMEOUT_MS',
    whole(100, 60_000).default(5000),
    'how long one batch of statements may take',
  ),
  allowDowngrade: env(
    'ALLOW_DOWNGRADE',
    flag.default(false),
    'true also starts on a database that a newer version has migrated',
  ),
  databasePooled: env(
    'DATABASE_POOLER',
    flag.default(false),
    'true if DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer',
  ),
  replicaUrl: env(
    'DATABASE_REPLICA_URL',
    postgresUrl.optional(),
    'a streaming replica of the same database; public pages are read from it',
    PASSWORD,
  ),
  redisUrl: env(
    'REDIS_URL',
    redisUrl.optional(),
    'redis://host, redis+sentinel://h1,h2/name or redis+cluster://h1,h2; needs the plug-in redis; optional',
    PASSWORD,
  ),
}

const files = {
  fileStorage: env(
    'FILE_STORAGE',
    choice('local', 's3').default('local'),
    'local (a folder) or s3 (an S3-compatible store; needs the plug-in s3 and the package @aws-sdk/client-s3)',
  ),
  fileStorageRoot: env(
    'FILE_STORAGE_ROOT',
    text.optional(),
    'the folder of uploads, shared by all replicas; by default files under DATA_DIR',
  ),
  fileMaxSize: env('FILE_MAX_SIZE_BYTES', whole(1, 5_368_709_120).default(10_485_760), 'the largest file'),
  fileQuota: env(
    'FILE_QUOTA_BYTES',
    whole(0, 999_999_999_999_999).default(0),
    'how much all files of one tenant may take; 0 for no limit',
  ),
  fileQuarantineDays: env(
    'FILE_QUARANTINE_DAYS',
    whole(1, 3650).default(30),
    'days for which files without a row stay in quarantine before they are removed',
  ),
  s3Bucket: env('S3_BUCKET', text.optional(), 'an existing bucket'),
  s3Endpoint: env('S3_ENDPOINT', httpUrl.optional(), 'by default that of AWS'),
  s3Region: env('S3_REGION', text.optional(), 'by default us-east-1'),
  s3AccessKeyId: env('S3_ACCESS_KEY_ID', text.optional(), 'by default what the AWS client finds in its environment'),
  s3SecretAccessKey: env('S3_SECRET_ACCESS_KEY', text.optional(), 'the secret of S3_ACCESS_KEY_ID', SECRET),
  s3ForcePathStyle: env('S3_FORCE_PATH_STYLE', flag.optional(), 'true for most stores other than AWS'),
}

const signIn = {
  adminPassword: env(
    'ADMIN_PASSWORD',
    text.min(6, 'must have at least 6 characters').optional(),
    'password of the system administrator at the first start; at least 8 characters, in development 6; by default admin123',
    { needed: true, hidden: 'whole' },
  ),
  jwtSecret: env(
    'JWT_SECRET',
    secrets.optional(),
    'at least 32 characters; by default generated at the first start. To change it, put the new one before the old one, separated by a comma: the first signs, all are accepted',
    { needed: true, hidden: 'whole' },
  ),
  encryptionKey: env(
    'ENCRYPTION_KEY',
    secrets.optional(),
    'at least 32 characters; encrypts stored secrets, such as those of second factors; by default a key derived from JWT_SECRET. To change it, put the new one before the old one, separated by a comma',
    SECRET,
  ),
  accessTokenTtl: env('ACCESS_TOKEN_TTL', whole(60, 86_400).default(7200), 'lifetime of an access token in seconds'),
  refreshTokenTtl: env(
    'REFRESH_TOKEN_TTL',
    whole(600, 31_536_000).default(604_800),
    'lifetime of a refresh token in seconds',
  ),
  sessionLifetime: env(
    'SESSION_LIFETIME',
    whole(0, 31_536_000).default(0),
    'after how many seconds a session ends, however often it was continued; 0 turns it off',
  ),
}

const publicPages = {
  publicMaxAge: env(
    'PUBLIC_MAX_AGE',
    whole(0, 86_400).default(10),
    'seconds for which browsers and proxies may cache public pages',
  ),
  publicCacheBytes: env(
    'PUBLIC_CACHE_BYTES',
    whole(0, 2_147_483_647).default(67_108_864),
    'memory for the cache of public pages; 0 turns it off',
  ),
}

const observation = {
  logLevel: env(
    'LOG_LEVEL',
    choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
    'fatal, error, warn, info, debug, trace or silent',
  ),
  metricsPort: env(
    'METRICS_PORT',
    whole(0, 65_535).default(9464),
    'the port of metrics and detailed health, for operators only; needs the plug-in metrics; 0 turns it off',
  ),
  metricsHost: env(
    'METRICS_HOST',
    text.default('127.0.0.1'),
    'the address of that port; 0.0.0.0 if the scraper runs on another machine',
  ),
  traceEndpoint: env(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    httpUrl.optional(),
    'the collector of traces, such as http://collector:4318; needs the plug-in tracing and the packages @opentelemetry/…; by default none',
  ),
  serviceName: env('OTEL_SERVICE_NAME', text.default('atrium'), 'the name of this service in traces'),
  traceShare: env('OTEL_TRACES_SAMPLER_ARG', share.default(1), 'the share of new traces that is kept, from 0 to 1'),
  auditReads: env('AUDIT_READS', flag.default(false), 'true also audits reads'),
  auditRetentionDays: env(
    'AUDIT_RETENTION_DAYS',
    whole(0, 36_500).default(0),
    'days after which audit rows are removed; 0 keeps them forever',
  ),
  eventsDays: env(
    'EVENTS_DAYS',
    whole(0, 36_500).default(30),
    'days after which events are removed from the log that other systems read; 0 keeps them forever',
  ),
}

/**
 * Every variable that is read, in the order of `.env.example`, which is written from this. A new one is one line above:
 * its key is its name in `Config`, and its type parses the text.
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
