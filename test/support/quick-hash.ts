import { hashRaw } from '@node-rs/argon2'
import type { World } from './world.ts'

/** The stored hash of a password that is checked many times: it says itself that it costs next to nothing. */
export async function quickHash(password: string): Promise<string> {
  const salt = Buffer.from('a salt of tests')
  const cost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
  const tag = await hashRaw(Buffer.from(password), { algorithm: 2, outputLen: 32, salt, ...cost })
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=8,t=1,p=1$${text(salt)}$${text(tag)}`
}

/** Gives a person a password that costs next to nothing to check, and an address if one is named. */
export async function givenPassword<P extends { id: number }>(
  { look }: Pick<World, 'look'>,
  person: P,
  password: string,
  email: string | null = null,
): Promise<P> {
  await look.rows(
    `update users set password_hash = $1, email = coalesce($2, email), email_key = coalesce(lower($2), email_key)
      where id = $3`,
    [await quickHash(password), email, person.id],
  )
  return person
}
