import { type Checks, type Finding, failed, ok, warn } from '../../src/atrium/finding.ts'
import type { Config } from '../../src/config/config.ts'
import { type Inspection, inspect } from '../../src/data/setup/inspect.ts'
import { findHoles } from '../../src/data/setup/isolation/prove-isolation.ts'
import { downgradeOf, strangenessOf } from '../../src/data/setup/migrate.ts'
import type { MigrationSource } from '../../src/data/setup/migrations.ts'
import { POOLER, sharesSessions } from '../../src/data/setup/pooler.ts'
import { findFirstTenant, probeWrites } from '../../src/data/setup/probes.ts'
import { mayNotEnter } from '../../src/data/setup/service-role.ts'
import { reasonOf } from '../../src/util/reason-of.ts'
import { migrationSources, withRole } from '../cli/workplace.ts'
import { shareOut, sumOf } from '../workers/shares.ts'
import { checkFirstTenant } from './first-tenant.ts'
import { checkSecrets } from './secrets.ts'

const OLDEST = 15
const MOST_SKEW_MS = 1000
/** The start migrates and proves isolation on its own connections. */
const AT_START = 2

/** What a domain examines, with the name of the domain. */
export type NamedChecks = Checks & { name: string }

/** Can the service work on the database at `url`, and will that keep what it acknowledges? */
export async function checkDatabase(config: Config, url: string, checks: readonly NamedChecks[]): Promise<Finding[]> {
  const sources = await migrationSources(config)
  const owner = config.migrationUrl ? await reach('migrations', config.migrationUrl, sources) : undefined
  const role = owner && 'standing' in owner ? owner.standing.role : undefined
  const seen = await reach('database', url, sources, role)
  if ('verdict' in seen) return [seen]
  const pooler = await checkPooler(config, url)
  return [
    checkVersion(seen),
    ...pooler,
    ...checkOwner(seen, owner),
    ...checkRole(seen, owner),
    ...(seen.mayEnterRole ? [checkMigrations(seen, config.allowDowngrade)] : []),
    ...(await Promise.all(checks.map(({ reached }) => reached?.(url, seen.standing.role) ?? []))).flat(),
    ...(await checkIsolation(url, seen)),
    ...(await checkWrites(url)),
    checkDurability(seen),
    checkCase(seen),
    checkConnections(config, seen),
    checkClock(seen),
    ...(await checkTenant(config, url, seen)),
    ...(pooler.length === 0 && isComplete(seen) ? await checkStored(config, url, seen.standing.role, checks) : []),
  ]
}

async function reach(
  check: string,
  url: string,
  sources: readonly MigrationSource[],
  role?: string,
): Promise<Inspection | Finding> {
  try {
    return await inspect(url, sources, role)
  } catch (error) {
    const what = `cannot be reached: ${reasonOf(error as Error)}`
    return failed(check, what, `is it running, and is the URL right? see: atrium config`)
  }
}

function checkVersion({ version, versionNumber, database, user, roundTrip }: Inspection): Finding {
  const where = `PostgreSQL ${version}, ${database} as ${user}, ${roundTrip.toFixed(1)} ms away`
  if (versionNumber >= OLDEST * 10_000) return ok('database', where)
  return failed('database', where, `PostgreSQL ${OLDEST} or newer is needed`)
}

/** The same question that the start asks. */
async function checkPooler({ databasePooled }: Config, url: string): Promise<Finding[]> {
  if (databasePooled || !(await sharesSessions(url))) return []
  return [failed('pooler', `DATABASE_URL ${POOLER.problem}`, POOLER.advice)]
}

/** The role that migrates: the one of MIGRATION_DATABASE_URL, if it is set, on the same database. */
function checkOwner(service: Inspection, other: Inspection | Finding | undefined): Finding[] {
  const owner = other ?? service
  if ('verdict' in owner) return [owner]
  if (owner.identity !== service.identity)
    return [failed('migrations', 'MIGRATION_DATABASE_URL leads to another database', 'name the one of DATABASE_URL')]
  if (owner.mayMigrate) return other ? [ok('migrations', `${owner.user} may migrate`)] : []
  const remedy = 'give MIGRATION_DATABASE_URL with the role that owns the database'
  return [failed('migrations', `${owner.user} may not make tables`, remedy)]
}

export function checkMigrations({ migrations }: Inspection, allowDowngrade: boolean): Finding {
  const named = (state: string) => migrations.filter((it) => it.state === state).map(({ name }) => name)
  const [missing, changed, unknown] = [named('missing'), named('changed'), named('unknown')]
  if (changed.length)
    return failed(
      'migrations',
      `changed after they were applied: ${changed.join(', ')}`,
      'use the version that was applied',
    )
  const strangeness = strangenessOf(migrations)
  if (strangeness) return failed('migrations', 'they are those of no version', strangeness)
  if (missing.length) return failed('migrations', `missing: ${missing.join(', ')}`, 'atrium migrate up')
  if (unknown.length) {
    const what = `a newer version has applied: ${unknown.join(', ')}`
    const problem = downgradeOf(unknown, allowDowngrade)
    return problem ? failed('migrations', what, problem) : warn('migrations', what, 'upgrade to that version')
  }
  return ok('migrations', `all ${named('applied').length} are applied`)
}

/** What the start decides for the role that migrates, and whether the role of DATABASE_URL may become it. */
function checkRole(service: Inspection, other: Inspection | Finding | undefined): Finding[] {
  const owner = other ?? service
  if ('verdict' in owner) return []
  const { standing } = owner
  if ('problem' in standing) return [failed('role', standing.problem, standing.advice)]
  const { role, asOwner, first, advice } = standing
  const { user } = service
  if (advice) return [warn('role', `the service would work as ${role} itself`, `before the first start: ${advice}`)]
  const isOther = user !== owner.user
  if (first === 'create' && isOther)
    return [
      warn(
        'role',
        `${role} is made by the first start`,
        `atrium migrate up, and then: ${mayNotEnter(user, role).advice}`,
      ),
    ]
  if (first === 'create') return [ok('role', `${role} is made by the first start`)]
  if (!service.mayEnterRole && (isOther || first === 'nothing')) {
    const { problem, advice } = mayNotEnter(user, role)
    return [failed('role', problem, advice)]
  }
  if (asOwner) return [ok('role', `the service works as ${role}, the owner: its policies are forced on the owner too`)]
  return [ok('role', `${user} becomes ${role} in each transaction`)]
}

/** The same proof that the start makes. It needs tables, and a role that may be entered. */
async function checkIsolation(url: string, seen: Inspection): Promise<Finding[]> {
  if (!isComplete(seen)) return []
  const holes = await findHoles(url, seen.standing.role)
  if (holes.length === 0)
    return [ok('isolation', 'row security is forced on every tenant table, and no role can bypass it')]
  return holes.map((hole) => failed('isolation', hole, 'the service does not start like this; see db/migrations'))
}

async function checkWrites(url: string): Promise<Finding[]> {
  try {
    await probeWrites(url)
    return [ok('writes', 'the database takes them')]
  } catch (error) {
    return judgeWrites(error as Error & { code?: string })
  }
}

/** @param error that ended a write */
export function judgeWrites(error: Error & { code?: string }): Finding[] {
  const { code = '' } = error
  // A role that may not make temporary tables: the result is unknown.
  if (code === '42501') return []
  const fail = (what: string, remedy: string) => [failed('writes', what, remedy)]
  if (code === '53100')
    return fail(
      `every command is a 503: the disk of the database is full (${reasonOf(error)})`,
      'make room on it; nothing has to be restarted',
    )
  if (code === '25006')
    return fail('every command is a 503: the server is a standby, or read-only', 'name the primary in DATABASE_URL')
  return fail(`every command is a 503: ${reasonOf(error)}`, 'read the PostgreSQL log')
}

/** Needs tables, and a role that may be entered. */
async function checkTenant(config: Config, url: string, seen: Inspection): Promise<Finding[]> {
  if (!isComplete(seen)) return []
  const tenant = await findFirstTenant(url, seen.standing.role)
  if (!tenant) return []
  return [...checkFirstTenant(tenant, config.production), ...(await checkSecrets(config, url, seen.standing.role))]
}

/** What the domains have stored. A check that fails is a finding, and hides no other. */
async function checkStored(
  config: Config,
  url: string,
  role: string,
  checks: readonly NamedChecks[],
): Promise<Finding[]> {
  const unread = (check: string) => (error: Error) => [
    failed(check, `cannot be read: ${reasonOf(error)}`, 'read the PostgreSQL log'),
  ]
  return withRole(config, url, role, async (database) => {
    const found = checks.map(({ name, stored }) => stored?.(database).catch(unread(name)) ?? [])
    return (await Promise.all(found)).flat()
  }).catch(unread('database'))
}

function isComplete({ standing, mayEnterRole, migrations }: Inspection): boolean {
  return mayEnterRole && !('problem' in standing) && migrations.every(({ state }) => state !== 'missing')
}

export function checkDurability({ durability }: Inspection): Finding {
  const off = Object.entries(durability).filter(([, value]) => value === 'off')
  if (off.length === 0) return ok('durability', 'an acknowledged write is on the disk')
  const remedy = 'turn it on, or a crash loses acknowledged writes'
  return failed('durability', off.map(([name]) => `${name} is off`).join(', '), remedy)
}

export function checkCase({ foldsCase }: Pick<Inspection, 'foldsCase'>): Finding {
  if (foldsCase) return ok('collation', 'searches ignore case in every script')
  return warn(
    'collation',
    'searches ignore case only from A to Z, because of the locale or the encoding of the database',
    'restore a backup into a database that is made with: createdb -T template0 -E UTF8 --locale-provider=icu --icu-locale=und',
  )
}

/** Two replicas run side by side during an update. */
export function checkConnections(config: Config, { connections: { most, others } }: Inspection): Finding {
  const { workers, connections } = shareOut(config, config.databasePooled ? undefined : most)
  const each = workers * sumOf(connections)
  const replicas = Math.max(0, Math.floor((most - others - AT_START) / each))
  const what = `${most} may be open, others hold ${others}: room for ${replicas} replicas of ${each}`
  if (replicas === 0) return failed('connections', what, 'raise max_connections, or lower DATABASE_HELD_LINES')
  if (replicas === 1) return warn('connections', what, 'an update in place needs room for two')
  return ok('connections', what)
}

export function checkClock({ clockAhead, roundTrip }: Inspection): Finding {
  const skew = Math.max(0, Math.abs(clockAhead) - roundTrip / 2)
  const what = `the database's clock is ${Math.round(Math.abs(clockAhead))} ms ${clockAhead < 0 ? 'behind' : 'ahead of'} ours`
  if (skew < MOST_SKEW_MS) return ok('clock', what)
  return failed('clock', what, 'let both machines take their time from the same source (NTP)')
}
