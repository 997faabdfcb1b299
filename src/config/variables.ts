import {
  choice,
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
import { limits } from './limits.ts'
import { env, type Variable } from './variable.ts'

const PASSWORD = { hidden: 'password' } as const
const SECRET = { hidden: 'whole' } as const

const service = {
  mode: env(
    'NODE_ENV',
    choice('development', 'production', 'test').default('development'),
    'development, production or test; production refuses to start without what it needs',
  ),
  domains: env('DOMAINS', items.default([]), 'more domains, from outside: folders or files, separated by commas'),
  port: env('PORT', whole(0, 65_535).default(8080), 'where the API listens'),
  host: env('HOST', text.optional(), 'the address to listen on; by default 127.0.0.1, in production 0.0.0.0'),
  workers: env(
    'WORKERS',
    processes.default(1),
    'processes that share the work, behind one port; auto: one for each core',
  ),
  publicUrl: env('PUBLIC_URL', httpUrl.optional(), 'how clients reach the service; becomes the issuer of tokens'),
  trustProxy: env(
    'TRUST_PROXY',
    networks.optional(),
    "CIDR blocks of the proxies in front, comma-separated; nothing else may name a client's address",
  ),
  corsOrigins: env(
    'CORS_ORIGINS',
    origins.optional(),
    'origins of the front ends, comma-separated; by default any port of localhost',
    { needed: true },
  ),
  bodyLimit: env('BODY_LIMIT_BYTES', whole(1024, 104_857_600).default(1_048_576), 'the largest body'),
  docs: env('DOCUMENTATION_PAGE', flag.default(true), 'false serves neither /docs nor openapi.json'),
  commit: env('COMMIT', text.optional(), 'what runs, told to operators; by default the commit that is checked out'),
  shutdownDelay: env(
    'SHUTDOWN_DELAY_MS',
    whole(0, 60_000).default(0),
    'how long the service says not ready before it stops listening',
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
    'the same database as its owner, where DATABASE_URL is a lesser role',
    PASSWORD,
  ),
  databaseLines: env('DATABASE_LINES', whole(1, 64).default(4), 'connections that the reads of all requests share'),
  databaseWriteLines: env('DATABASE_WRITE_LINES', whole(1, 64).default(8), 'connections that their changes share'),
  databaseHeldLines: env(
    'DATABASE_HELD_LINES',
    whole(1, 64).default(16),
    'connections that transactions hold while they decide',
  ),
  databaseSearchConnections: env(
    'DATABASE_SEARCH_CONNECTIONS',
    whole(1, 16).default(2),
    'connections for searches and what else costs much, one at a time each',
  ),
  databaseTimeout: env('DATABASE_TIMEOUT_MS', whole(100, 60_000).default(5000), 'how long a flight may take'),
  allowDowngrade: env(
    'ALLOW_DOWNGRADE',
    flag.default(false),
    'true starts also on a database that a newer version has migrated',
  ),
  databasePooled: env(
    'DATABASE_POOLER',
    flag.default(false),
    'true where DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer',
  ),
  replicaUrl: env(
    'DATABASE_REPLICA_URL',
    postgresUrl.optional(),
    'a streaming replica of the same database; pages for anyone are read there',
    PASSWORD,
  ),
  redisUrl: env(
    'REDIS_URL',
    redisUrl.optional(),
    'redis://host, redis+sentinel://h1,h2/name or redis+cluster://h1,h2; all works without, if more slowly',
    PASSWORD,
  ),
}

const files = {
  fileStorage: env(
    'FILE_STORAGE',
    choice('local', 's3').default('local'),
    'local (a folder) or s3 (an S3-compatible store; needs the package @aws-sdk/client-s3)',
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
    'what the files of one tenant may take together; 0 for as much as there is room',
  ),
  fileQuarantineDays: env(
    'FILE_QUARANTINE_DAYS',
    whole(1, 3650).default(30),
    'days for which bytes that belong to no row are kept in quarantine before they are removed',
  ),
  s3Bucket: env('S3_BUCKET', text.optional(), 'must exist'),
  s3Endpoint: env('S3_ENDPOINT', httpUrl.optional(), 'by default the one of AWS'),
  s3Region: env('S3_REGION', text.optional(), 'by default us-east-1'),
  s3AccessKeyId: env('S3_ACCESS_KEY_ID', text.optional(), 'by default what the AWS client finds in its surroundings'),
  s3SecretAccessKey: env('S3_SECRET_ACCESS_KEY', text.optional(), 'goes with S3_ACCESS_KEY_ID', SECRET),
  s3ForcePathStyle: env('S3_FORCE_PATH_STYLE', flag.optional(), 'true for most stores that are not AWS'),
}

const signIn = {
  adminPassword: env(
    'ADMIN_PASSWORD',
    text.min(6, 'must have at least 6 characters').optional(),
    'of the system administrator at the first start, at least 8 characters, in development 6; by default admin123',
    { needed: true, hidden: 'whole' },
  ),
  jwtSecret: env(
    'JWT_SECRET',
    secrets.optional(),
    'at least 32 characters; by default one made at the first start. To change it, put the new one before the old one, with a comma between: the first signs, all are known',
    { needed: true, hidden: 'whole' },
  ),
  accessTokenTtl: env('ACCESS_TOKEN_TTL', whole(60, 86_400).default(7200), 'seconds'),
  refreshTokenTtl: env('REFRESH_TOKEN_TTL', whole(600, 31_536_000).default(604_800), 'seconds'),
}

const publicPages = {
  publicMaxAge: env(
    'PUBLIC_MAX_AGE',
    whole(0, 86_400).default(10),
    'seconds for which browsers and proxies may keep public pages',
  ),
  publicCacheBytes: env(
    'PUBLIC_CACHE_BYTES',
    whole(0, 2_147_483_647).default(67_108_864),
    'memory for public pages that are ready to be sent; 0 turns it off',
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
    'where metrics and health in detail are told, to operators alone; 0 turns it off',
  ),
  metricsHost: env(
    'METRICS_HOST',
    text.default('127.0.0.1'),
    'the address for that; 0.0.0.0 where the scraper runs elsewhere',
  ),
  traceEndpoint: env(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    httpUrl.optional(),
    'where traces are sent, such as http://collector:4318; needs the packages @opentelemetry/…; by default nowhere',
  ),
  serviceName: env('OTEL_SERVICE_NAME', text.default('atrium'), 'what traces call this service'),
  traceShare: env(
    'OTEL_TRACES_SAMPLER_ARG',
    share.default(1),
    'the share of the traces that begin here which is kept, from 0 to 1',
  ),
  auditReads: env('AUDIT_READS', flag.default(false), 'true writes reads into the audit as well'),
  auditRetentionDays: env(
    'AUDIT_RETENTION_DAYS',
    whole(0, 36_500).default(0),
    'days after which rows of the audit are removed; 0 keeps them for ever',
  ),
}

/**
 * Every variable that is read, in the order of `.env.example`, which is written from this. A new one is one line above:
 * its key is its name in `Config`, and its value there is what its type makes of the text.
 */
export const SECTIONS = [service, data, files, signIn, limits, publicPages, observation]
export const BY_KEY = { ...service, ...data, ...files, ...signIn, ...limits, ...publicPages, ...observation }

/** Every variable by itself. */
export const VARIABLES: readonly Variable[] = Object.values(BY_KEY)
