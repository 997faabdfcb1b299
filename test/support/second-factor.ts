import { Secret, TOTP } from 'otpauth'
import { sealWith } from '../../src/util/seal.ts'
import type { Client } from './client.ts'
import { testConfig } from './config.ts'
import type { World } from './world.ts'

/** A second factor as its person holds it: the app on their phone, and the printed codes. */
export interface Phone {
  secret: string
  recoveryCodes: string[]
  /** the code that turned it on: that of the step before, so that the current one is unused */
  used: string
}

const STEP_MS = 30_000

/** The code that an app shows, `away` steps from now. */
export function codeOf(secret: string, away = 0, now = Date.now()): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + away * STEP_MS })
}

/** Begins a second factor. @param password of a person who has one @returns the code that turns it on */
export async function begunCode(client: Client, password?: string): Promise<string> {
  return codeOf((await begin(client, password)).secret)
}

async function begin(client: Client, password: string | undefined) {
  return (await client.post('/auth/second-factor', password === undefined ? undefined : { password })).expect(200)
}

/** Turns a second factor on over the wire. @param password of a person who has one */
export async function addFactor(client: Client, password?: string): Promise<Phone> {
  const now = Date.now()
  const { secret } = await begin(client, password)
  const used = codeOf(secret, -1, now)
  const answer = await client.post('/auth/second-factor/confirm', { code: used })
  // The step ended on the way, so the code was too old.
  if (answer.status !== 200 && codeOf(secret) !== codeOf(secret, 0, now)) return addFactor(client, password)
  return { secret, recoveryCodes: answer.expect(200).recoveryCodes, used }
}

/** The same in the database, for a person whose token nobody has. */
export async function givenFactor(world: World, userId: number): Promise<void> {
  const [user] = await world.look.rows<{ tenant_id: string }>(
    'update users set second_factor_at = statement_timestamp() where id = $1 returning tenant_id',
    [userId],
  )
  const secret = sealWith(testConfig().sealingSecrets).seal(
    new Secret().base32,
    `second_factors ${user!.tenant_id}/${userId}`,
  )
  await world.look.rows(
    'insert into second_factors (tenant_id, user_id, secret) values ($1, $2, $3) on conflict do nothing',
    [user!.tenant_id, userId, secret],
  )
}

/** Takes it off again, so that the password alone signs in. */
export async function forgetFactor(world: World, userId: number): Promise<void> {
  await world.look.rows('delete from second_factors where user_id = $1', [userId])
  await world.look.rows('update users set second_factor_at = null where id = $1', [userId])
}
