import { createHash } from 'node:crypto'
import type pg from 'pg'
import { quoted } from '../sql/quoted.ts'
import { SetupProblem } from './setup-problem.ts'

/** What decides the role in which the service works in a database, as seen by the connected role. */
export interface RoleFacts {
  user: string
  database: string
  superuser: boolean
  mayCreate: boolean
  /** whether the database has migrations */
  begun: boolean
  /** the role in question: the one that the tables were granted to, else their owner, else the one of a new database */
  role: string
  exists: boolean
  /** whether it bypasses the policies, so that the service must not work as it */
  passesBy: boolean
  mayEnter: boolean
  mayGrant: boolean
}

/** The role in which the service works, and what the start does for it first; or why it cannot. */
export type Standing =
  | { role: string; first: 'nothing' | 'grant' | 'create'; asOwner: boolean; advice?: string | undefined }
  | { role: string; problem: string; advice: string }

const LONGEST = 63

/**
 * The role of a new database. Roles belong to the whole cluster, and an owner who may become a role can use it in every
 * database, so each database has its own. A database keeps the role that its tables were granted to.
 */
export function serviceRoleOf(database: string): string {
  const name = `atrium_service_${database}`
  if (Buffer.byteLength(name) <= LONGEST) return name
  return `atrium_service_${createHash('sha256').update(database).digest('hex').slice(0, 32)}`
}

/** Inspects the roles, and changes nothing. */
export async function findRoleFacts(client: pg.Client): Promise<RoleFacts> {
  const { rows: names } = await client.query('select current_database()::text as database')
  const { rows } = await client.query(FACTS, [serviceRoleOf(names[0].database)])
  return rows[0]
}

/**
 * PostgreSQL 16 separated "is a member" from "may become it"; before, anyone who could create roles could grant them.
 */
const FACTS = `
  with me as (select * from pg_roles where rolname = current_user),
       begun as (select oid, relowner, relacl from pg_class where oid = to_regclass('public.schema_migrations')),
       granted as (
         select r.rolname::text as name from begun, aclexplode(begun.relacl) acl join pg_roles r on r.oid = acl.grantee
          where acl.privilege_type = 'SELECT' and r.rolname like 'atrium\\_service%' order by r.rolname <> $1, 1 limit 1),
       chosen as (select coalesce((select name from granted), (select r.rolname::text from begun join pg_roles r on r.oid = begun.relowner), $1) as name),
       split as (select current_setting('server_version_num')::int >= 160000 as up)
  select me.rolname::text as "user", current_database()::text as database, me.rolsuper as superuser,
         me.rolsuper or me.rolcreaterole as "mayCreate", exists (select from begun) as begun,
         chosen.name as role, r.oid is not null as exists,
         coalesce(r.rolsuper or r.rolbypassrls, false) as "passesBy",
         me.rolsuper or coalesce(pg_has_role(r.oid, case when split.up then 'SET' else 'MEMBER' end), false) as "mayEnter",
         me.rolsuper or coalesce(pg_has_role(r.oid, 'MEMBER WITH ADMIN OPTION'), false)
                     or (me.rolcreaterole and not split.up) as "mayGrant"
    from me, split, chosen
    left join pg_roles r on r.rolname = chosen.name`

/** Whether the connected role may become another; also true if there is no role of that name. */
export async function mayBecome(client: pg.Client, role: string): Promise<{ user: string; may: boolean }> {
  const { rows } = await client.query(
    `select current_user::text as "user", me.rolsuper or coalesce(
              (select pg_has_role(r.oid, case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end)
                 from pg_roles r where r.rolname = $1), true) as may from pg_roles me where me.rolname = current_user`,
    [role],
  )
  return rows[0]
}

/** The decision, for the start and for checks before it. */
export function standingOf(facts: RoleFacts): Standing {
  const { user, role, begun, exists, mayEnter, mayGrant, mayCreate, passesBy } = facts
  const asOwner = !role.startsWith('atrium_service')
  if (begun && passesBy && asOwner)
    return {
      role,
      problem: `${role} owns the tables and nothing is granted to a service role: this database was restored without it`,
      advice:
        'restore it again, by atrium restore, or by pg_restore after creating the role that the dump grants to (pg_restore -f - DUMP | grep -m1 "TO atrium_service")',
    }
  if (exists && mayEnter) return { role, first: 'nothing', asOwner }
  if (exists && mayGrant) return { role, first: 'grant', asOwner }
  if (begun) return mayNotEnter(user, role)
  if (!exists && mayCreate) return { role, first: 'create', asOwner }
  return {
    role: user,
    first: 'nothing',
    asOwner: true,
    advice: exists ? grantRole(role, user) : makeRole(role, user),
  }
}

export function mayNotEnter(user: string, role: string): Extract<Standing, { problem: string }> {
  return {
    role,
    problem: `${user} may not become ${role}, the role in which the service works`,
    advice: grantRole(role, user),
  }
}

function makeRole(role: string, user: string): string {
  return `create role ${quoted(role)} nologin noinherit; ${grantRole(role, user)}`
}

function grantRole(role: string, user: string): string {
  return `grant ${quoted(role)} to ${quoted(user)}`
}

/**
 * Ensures the role, in the open transaction, and returns the standing. An owner who may not create roles works as
 * itself: the policies are forced, so they apply to the owner too.
 * @throws SetupProblem if there is no role to work as
 */
export async function settleServiceRole(client: pg.Client): Promise<Exclude<Standing, { problem: string }>> {
  const standing = standingOf(await findRoleFacts(client))
  if ('problem' in standing) throw new SetupProblem(`${standing.problem}. As a superuser: ${standing.advice}`)
  const { role, first } = standing
  if (first === 'create') await createRole(client, role)
  if (first === 'create' || first === 'grant') await client.query(`grant ${quoted(role)} to current_user`)
  const { rows } = await client.query(`select has_schema_privilege($1, 'public', 'usage') as may`, [role])
  if (!rows[0].may) await client.query(`grant usage on schema public to ${quoted(role)}`)
  return standing
}

/** Another service may create it at the same moment. */
async function createRole(client: pg.Client, role: string) {
  await client.query('savepoint making_role')
  await client.query(`create role ${quoted(role)} nologin noinherit`).catch(async (error) => {
    if (error.code !== '42710' && error.code !== '23505') throw error
    await client.query('rollback to savepoint making_role')
  })
}
