import { drawToken, type Tx, type Visitor } from '#atrium'
import { findNamesake, findNicknamed, Nickname, nicknameSkeletonOf, Username } from '#atrium/people'
import { isTitle, type RoleHeld } from '#atrium/roles'
import { assertNobodyElse } from '#atrium/users'
import { usernamesFor } from './identity-provider.rules.ts'
import type { Claims } from './protocol/client.ts'

const MOST_TRIES = 5
const NOBODY = 0

/**
 * A user name and a nickname for somebody whom the provider calls so. A user name that is taken or looks like somebody's gets
 * a number; a nickname that others could mistake is left out.
 */
export async function freeNames(
  tx: Tx<Visitor>,
  { name, username, email }: Pick<Claims, 'name' | 'username' | 'email'>,
  roles: readonly RoleHeld[],
  administrators: readonly { id: number }[],
): Promise<{ username: string; nickname: string | null }> {
  const nickname = Nickname.safeParse(name ?? null).data || null
  const isMistakable =
    nickname !== null &&
    (await assertNobodyElse(tx, NOBODY, nicknameSkeletonOf(nickname), roles, administrators).then(
      () => false,
      () => true,
    ))
  return { username: await freeUsername(tx, [username, email, name]), nickname: isMistakable ? null : nickname }
}

async function freeUsername(tx: Tx<Visitor>, names: readonly (string | undefined)[]): Promise<string> {
  const stem = usernamesFor(names).find((one) => Username.safeParse(one).success)!
  for (let at = 1; at <= MOST_TRIES; at++) {
    const username = at === 1 ? stem : `${stem}-${at}`
    if (await isFree(tx, username)) return username
  }
  return `${stem}-${drawToken(tx.tenantId).slice(-6)}`
}

/** Nobody is called so, nor has a nickname that looks like it, and it is no title of an administrator. */
async function isFree(tx: Tx<Visitor>, username: string): Promise<boolean> {
  const skeleton = nicknameSkeletonOf(username)!
  const [namesake, nicknamed] = await Promise.all([
    findNamesake(tx, { id: NOBODY, skeleton }),
    findNicknamed(tx, { nicknameSkeleton: skeleton }),
  ])
  return !namesake && !nicknamed && !isTitle(skeleton)
}
