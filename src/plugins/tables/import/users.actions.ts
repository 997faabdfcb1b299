import { type FastifyRequest, networkOf, ROLE, type Tx, takeRoom } from '#atrium'
import { lockStaff } from '#atrium/organization'
import { appearanceOf, findNamesake, hashPassword, NO_PASSWORD, peopleFaults } from '#atrium/people'
import {
  assertCovers,
  listAdministratorIds,
  listRolesByCode,
  loadAuthority,
  type RoleHeld,
  roleFaults,
} from '#atrium/roles'
import { getPolicy } from '#atrium/tenants'
import { type Invite, insertPerson } from '#atrium/users'
import type { UserRow } from '../tables.schemas.ts'
import { mistakesOf } from './import-table.ts'
import { type Drafts, type Mistake, MOST_PASSWORDS } from './read-table.rules.ts'

type Rows = Drafts<typeof UserRow>
type Row = Rows[number]
type Named = Row & { draft: { username: string; password: string } }
export type Hashes = ReadonlyMap<number, string>

/** The roles of a row: `user` if it names none. */
const codesOf = ({ draft }: Row) => (draft.roles.length > 0 ? draft.roles : [ROLE.user])
const hasPassword = (row: Row): row is Named => row.draft.password !== undefined && row.draft.username !== undefined

const COLUMNS = {
  USERNAME_TAKEN: 'username',
  NICKNAME_TAKEN: 'nickname',
  ALREADY_MEMBER: 'email',
  INVITATION_PENDING: 'email',
  PERMISSION_DENIED: 'roles',
  NOT_FOUND: 'roles',
}

/**
 * Hashes the passwords of a table, one after the other: what others wait for is not a whole table. A dry run needs none.
 * More than two hundred are not hashed, because the importer refuses them.
 */
export async function hashAll(rows: Rows, { ip, query }: FastifyRequest): Promise<Hashes> {
  const { dryRun } = query as { dryRun: boolean }
  const named = rows.filter(hasPassword)
  const hashes = new Map<number, string>()
  if (named.length > MOST_PASSWORDS) return hashes
  for (const { row, draft } of named)
    hashes.set(row, dryRun ? NO_PASSWORD : await hashPassword(draft.password, networkOf(ip)))
  return hashes
}

/**
 * Makes people of the rows with a password, and invites the others where there are invitations.
 * @throws QUOTA_EXCEEDED, NOT_IN_TENANT
 */
export async function importUsers(
  tx: Tx,
  rows: Rows,
  hashes: Hashes,
  invite: ReturnType<Invite> | undefined,
): Promise<Mistake[]> {
  const codes = [...new Set(rows.flatMap(codesOf))]
  const named = rows.filter(hasPassword)
  if (named.length > MOST_PASSWORDS)
    return [{ row: 1, column: 'password', message: 'A table has at most {most} passwords', most: MOST_PASSWORDS }]
  const [, authority, administrators, policy, known, namesakes] = await tx.inOrder([
    lockStaff(tx, {}),
    loadAuthority(tx),
    listAdministratorIds(tx, {}),
    getPolicy(tx, { id: tx.tenantId }),
    Promise.all(codes.map(async (code) => [code, (await listRolesByCode(tx, { code }))[0]] as const)),
    Promise.all(named.map(({ draft }) => findNamesake(tx, { id: 0, skeleton: skeletonIn(draft) }))),
  ])
  const roles = new Map(known)
  const mistakes = [
    ...namesTwice(named),
    ...named.flatMap(({ row }, at) => (namesakes[at] ? mistakesOf(peopleFaults.usernameTaken(), row, COLUMNS) : [])),
    ...rows.flatMap((one) =>
      problemsOf(one, roles, invite !== undefined, (held) => assertCovers(authority, held, 'roles')),
    ),
  ]
  if (mistakes.length > 0) return mistakes

  const active = named.filter(({ draft }) => draft.status === 'active')
  if (active.length > 0) await takeRoom(tx, 'people', active.length)
  for (const one of rows) {
    const { row, draft } = one
    const { roles: _, password: __, ...person } = draft
    const held = codesOf(one).map((code) => roles.get(code)!)
    try {
      if (hasPassword(one))
        await insertPerson(
          tx,
          {
            ...person,
            username: one.draft.username,
            passwordHash: hashes.get(row)!,
            mustChangePassword: policy.firstPassword === 'change',
          },
          held,
          administrators,
        )
      else await invite!(tx, { email: draft.email!, roleIds: held.map(({ id }) => id) })
    } catch (error) {
      // What the database refuses ends the transaction, so this is the last one.
      return mistakesOf(error, row, COLUMNS)
    }
  }
  return []
}

const skeletonIn = ({ username }: { username: string }) => appearanceOf(username, null).skeleton

/** Rows whose user names look like that of a row above. */
function namesTwice(rows: readonly Named[]): Mistake[] {
  const seen = new Set<string>()
  return rows.flatMap(({ row, draft }) => {
    const skeleton = skeletonIn(draft)
    if (seen.has(skeleton)) return mistakesOf(peopleFaults.usernameTaken(), row, COLUMNS)
    seen.add(skeleton)
    return []
  })
}

function problemsOf(
  one: Row,
  roles: ReadonlyMap<string, RoleHeld | undefined>,
  areInvited: boolean,
  assertMayGive: (roles: RoleHeld[]) => void,
): Mistake[] {
  const mistakes: Mistake[] = []
  const { row, draft } = one
  const { username, password, email } = draft
  if (password !== undefined && username === undefined)
    mistakes.push({ row, column: 'username', message: 'is required' })
  if (password === undefined && !(areInvited && email))
    mistakes.push({ row, column: 'password', message: 'is required, or an email to invite the person' })
  const held = codesOf(one).map((code) => roles.get(code))
  if (held.some((role) => role === undefined)) return [...mistakes, ...mistakesOf(roleFaults.notFound(), row, COLUMNS)]
  try {
    assertMayGive(held as RoleHeld[])
  } catch (error) {
    return [...mistakes, ...mistakesOf(error, row, COLUMNS)]
  }
  return mistakes
}
