import type { z } from 'zod'
import { choice, connection, flag, httpUrl, items, networks, origins, redisUrl, share, text, whole } from './kinds.ts'

export interface Variable<Type extends z.ZodType = z.ZodType> {
  name: string
  type: Type
  /** for `.env.example` and the command line: what it does, and what holds without it where there is no plain default */
  about: string
  /** production does not start without it, because a default would be a hole */
  needed?: true
  /** is not to be shown; of an address only the password */
  hidden?: 'whole' | 'password'
}

function variable<Type extends z.ZodType>(
  name: string,
  type: Type,
  about: string,
  more: Pick<Variable, 'needed' | 'hidden'> = {},
): Variable<Type> {
  return { name, type, about, ...more }
}

/**
 * Every variable that is read, in the order of `.env.example`, which is written from this. A new one is one line: its
 * key is its name in `Config`, and its value there is what its type makes of the text.
 */
export const SECTIONS = {
  service: {
    mode: variable(
      'NODE_ENV',
      choice('development', 'production', 'test').default('development'),
      'development, production or test; production refuses to start without what it needs',
    ),
    domains: variable(
      'DOMAINS',
      items.default([]),
      'more domains, from outside: folders or files, separated by commas',
    ),
    port: variable('PORT', whole(0, 65_535).default(8080), 'where the API listens'),
    host: variable('HOST', text.optional(), 'the address to listen on; by default 127.0.0.1, in production 0.0.0.0'),
    publicUrl: variable(
      'PUBLIC_URL',
      httpUrl.optional(),
      'how clients reach the service; becomes the issuer of tokens',
    ),
    trustProxy: variable(
      'TRUST_PROXY',
      networks.optional(),
      "CIDR blocks of the proxies in front, comma-separated; nothing else may name a client's address",
    ),
    corsOrigins: variable(
      'CORS_ORIGINS',
      origins.optional(),
      'origins of the front ends, comma-separated; by default any port of localhost',
      { needed: true },
    ),
    bodyLimit: variable('BODY_LIMIT_BYTES', whole(1024, 104_857_600).default(1_048_576), 'the largest body'),
    shutdownDelay: variable(
      'SHUTDOWN_DELAY_MS',
      whole(0, 60_000).default(0),
      'how long the service says not ready before it stops listening',
    ),
  },

  data: {
    dataDir: variable(
      'DATA_DIR',
      text.default('.data'),
      'where the embedded PostgreSQL and the development secret live',
    ),
    databaseUrl: variable(
      'DATABASE_URL',
      connection('postgres', 'postgresql').optional(),
      'postgres://…; by default an embedded server',
      { needed: true, hidden: 'password' },
    ),
    migrationUrl: variable(
      'MIGRATION_DATABASE_URL',
      connection('postgres', 'postgresql').optional(),
      'the same database as its owner, where DATABASE_URL is a lesser role',
      { hidden: 'password' },
    ),
    databaseLines: variable(
      'DATABASE_LINES',
      whole(1, 64).default(4),
      'connections that the reads of all requests share',
    ),
    databaseWriteLines: variable(
      'DATABASE_WRITE_LINES',
      whole(1, 64).default(8),
      'connections that their changes share',
    ),
    databaseHeldLines: variable(
      'DATABASE_HELD_LINES',
      whole(1, 64).default(16),
      'connections that transactions hold while they decide',
    ),
    databaseTimeout: variable('DATABASE_TIMEOUT_MS', whole(100, 60_000).default(5000), 'how long a flight may take'),
    databasePooled: variable(
      'DATABASE_POOLER',
      flag.default(false),
      'true where DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer',
    ),
    replicaUrl: variable(
      'DATABASE_REPLICA_URL',
      connection('postgres', 'postgresql').optional(),
      'a streaming replica of the same database; pages for anyone are read there',
      { hidden: 'password' },
    ),
    redisUrl: variable(
      'REDIS_URL',
      redisUrl.optional(),
      'redis://host, redis+sentinel://h1,h2/name or redis+cluster://h1,h2; all works without, if more slowly',
      { hidden: 'password' },
    ),
  },

  files: {
    fileStorage: variable(
      'FILE_STORAGE',
      choice('local', 's3').default('local'),
      'local (a folder) or s3 (an S3-compatible store; needs the package @aws-sdk/client-s3)',
    ),
    fileStorageRoot: variable(
      'FILE_STORAGE_ROOT',
      text.optional(),
      'the folder of uploads, shared by all replicas; by default files under DATA_DIR',
    ),
    fileMaxSize: variable('FILE_MAX_SIZE_BYTES', whole(1, 5_368_709_120).default(10_485_760), 'the largest file'),
    s3Bucket: variable('S3_BUCKET', text.optional(), 'must exist'),
    s3Endpoint: variable('S3_ENDPOINT', httpUrl.optional(), 'by default the one of AWS'),
    s3Region: variable('S3_REGION', text.optional(), 'by default us-east-1'),
    s3AccessKeyId: variable(
      'S3_ACCESS_KEY_ID',
      text.optional(),
      'by default what the AWS client finds in its surroundings',
    ),
    s3SecretAccessKey: variable('S3_SECRET_ACCESS_KEY', text.optional(), 'goes with S3_ACCESS_KEY_ID', {
      hidden: 'whole',
    }),
    s3ForcePathStyle: variable('S3_FORCE_PATH_STYLE', flag.optional(), 'true for most stores that are not AWS'),
  },

  signIn: {
    adminPassword: variable(
      'ADMIN_PASSWORD',
      text.min(8, 'must have at least 8 characters').optional(),
      'of the system administrator at the first start; by default admin123',
      { needed: true, hidden: 'whole' },
    ),
    jwtSecret: variable(
      'JWT_SECRET',
      text.min(32, 'must have at least 32 characters').optional(),
      'at least 32 characters; by default one made at the first start',
      { needed: true, hidden: 'whole' },
    ),
    accessTokenTtl: variable('ACCESS_TOKEN_TTL', whole(60, 86_400).default(7200), 'seconds'),
    refreshTokenTtl: variable('REFRESH_TOKEN_TTL', whole(600, 31_536_000).default(604_800), 'seconds'),
  },

  limits: {
    signInLimit: variable(
      'SIGN_IN_LIMIT',
      whole(0, 1_000_000).default(10),
      'failed sign-ins a minute, by address and user name; from everywhere ten times as many in ten minutes; 0 turns it off',
    ),
    registrationLimit: variable(
      'REGISTRATION_LIMIT',
      whole(0, 1_000_000).default(20),
      'registrations in ten minutes, by address; 0 turns it off',
    ),
    contactLimit: variable(
      'CONTACT_LIMIT',
      whole(0, 1_000_000).default(5),
      'contact messages in ten minutes, by address; 0 turns it off',
    ),
    uploadLimit: variable(
      'UPLOAD_LIMIT',
      whole(0, 1_000_000).optional(),
      'uploads a minute, by user; by default off, in production 300; 0 turns it off',
    ),
    checkoutLimit: variable(
      'CHECKOUT_LIMIT',
      whole(0, 1_000_000).optional(),
      'orders a minute, by user; by default off, in production 60; 0 turns it off',
    ),
    requestLimit: variable(
      'REQUEST_LIMIT',
      whole(0, 1_000_000).default(0),
      'requests a minute, by user, else by address, for which TRUST_PROXY must name the proxies; 0 turns it off',
    ),
    streamsMost: variable(
      'STREAMS',
      whole(0, 1_000_000).default(5000),
      'live streams open at once in this process; the next one is refused with 503',
    ),
    streamsPerUser: variable(
      'STREAMS_PER_USER',
      whole(1, 1000).default(12),
      '… and by one person; the next one closes their oldest',
    ),
    streamHeartbeat: variable(
      'STREAM_HEARTBEAT_MS',
      whole(100, 30_000).default(20_000),
      'a quiet stream says that it is still there',
    ),
    overloadDelay: variable(
      'OVERLOAD_DELAY_MS',
      whole(0, 60_000).default(500),
      'how late the event loop may be, twice in a row, before requests are refused with 503; 0 turns it off',
    ),
  },

  publicPages: {
    publicMaxAge: variable(
      'PUBLIC_MAX_AGE',
      whole(0, 86_400).default(10),
      'seconds for which browsers and proxies may keep public pages',
    ),
    publicCacheBytes: variable(
      'PUBLIC_CACHE_BYTES',
      whole(0, 2_147_483_647).default(33_554_432),
      'memory for public pages that are ready to be sent; 0 turns it off',
    ),
  },

  observation: {
    logLevel: variable(
      'LOG_LEVEL',
      choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
      'fatal, error, warn, info, debug, trace or silent',
    ),
    metricsPort: variable(
      'METRICS_PORT',
      whole(0, 65_535).default(9464),
      'where metrics and health in detail are told, to operators alone; 0 turns it off',
    ),
    metricsHost: variable(
      'METRICS_HOST',
      text.default('127.0.0.1'),
      'the address for that; 0.0.0.0 where the scraper runs elsewhere',
    ),
    traceEndpoint: variable(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      httpUrl.optional(),
      'where traces are sent, such as http://collector:4318; needs the packages @opentelemetry/…; by default nowhere',
    ),
    serviceName: variable('OTEL_SERVICE_NAME', text.default('atrium'), 'what traces call this service'),
    traceShare: variable(
      'OTEL_TRACES_SAMPLER_ARG',
      share.default(1),
      'the share of the traces that begin here which is kept, from 0 to 1',
    ),
    auditReads: variable('AUDIT_READS', flag.default(false), 'true writes reads into the audit as well'),
    auditRetentionDays: variable(
      'AUDIT_RETENTION_DAYS',
      whole(0, 36_500).default(0),
      'days after which rows of the audit are removed; 0 keeps them for ever',
    ),
  },
} as const

/** Every variable by itself. */
export const VARIABLES: readonly Variable[] = Object.values(SECTIONS).flatMap((section) => Object.values(section))
