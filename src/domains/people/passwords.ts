import { randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hashRaw } from '@node-rs/argon2'
import { fairQueue, faults, QueueRefusal, siteOf, Unavailable } from '#atrium'

/**
 * argon2id with the parameters of OWASP's first choice for 19 MiB (t=2, p=1), stored in the PHC string format.
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const ARGON2ID = 2

/**
 * A flood of sign-ins must not use up the memory or the processor. Networks take turns, so a network that sends many only
 * delays itself. People who are known on their network get three of four turns: a flood of strangers does not block them,
 * and they do not block newcomers and registrations.
 */
const AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1))
const MOST_WAITING = 100
const TURN_TIMEOUT_MS = 5000
const queue = fairQueue({
  width: AT_ONCE,
  perGroup: AT_ONCE,
  perMember: AT_ONCE,
  waitingPerMember: MOST_WAITING,
  timeout: TURN_TIMEOUT_MS,
})
let refused = 0
/** Hashed passwords look different, so no password is this one. */
export const NO_PASSWORD = '-'
/** The network of the command line. */
const NOBODY = 'here'

/** The PHC string of a password. @throws RATE_LIMITED if too many of this network wait; Unavailable */
export async function hashPassword(password: string, network = NOBODY): Promise<string> {
  const salt = randomBytes(16)
  const tag = await hash(password, salt, COST, network)
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(salt)}$${base64(tag)}`
}

/**
 * Whether the password matches the hash. Without a hash, or with a foreign one, it takes the same time and returns false.
 * `regular`: the person, if they are known on this network; they get more turns than strangers and wait separately.
 * @throws as above
 */
export async function verifyPassword(
  password: string,
  phc: string | undefined,
  network = NOBODY,
  regular?: string,
): Promise<boolean> {
  const { known, salt, tag, cost } = readPhc(phc)
  const actual = await hash(password, salt, cost, network, regular)
  return timingSafeEqual(actual, tag) && known
}

/**
 * What a stored hash may say. Rows may have come from an archive that somebody else has written, and what a hash costs is
 * paid before anybody has proved who they are.
 */
const BOUNDS = { memory: [8, 65_536], passes: [1, 8], parallelism: [1, 4], salt: [8, 64], tag: [12, 64] } as const

/** Parses a PHC string; for a foreign one, or one beyond the bounds, returns values of equal cost. */
export function readPhc(phc: string | undefined) {
  const found = PHC.exec(phc ?? '')
  const known = found && isWithinBounds(found) ? found : null
  const [, memory, passes, parallelism, salt, tag] = known ?? PHC.exec(NONE)!
  const bytes = Buffer.from(tag!, 'base64')
  return {
    known: known !== null,
    salt: Buffer.from(salt!, 'base64'),
    tag: bytes,
    cost: {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: bytes.length,
    },
  }
}

/** Whether a row that comes from elsewhere may have this hash: one within the bounds, or none that a password could have. */
export function isUsableHash(hash: unknown): boolean {
  return typeof hash === 'string' && (readPhc(hash).known || !hash.startsWith('$'))
}

function isWithinBounds([, memory, passes, parallelism, salt, tag]: string[]): boolean {
  const bytes = (text: string) => Buffer.byteLength(text, 'base64')
  const found = { memory, passes, parallelism, salt: bytes(salt!), tag: bytes(tag!) }
  return (
    Object.entries(BOUNDS).every(([name, [least, most]]) => {
      const value = Number(found[name as keyof typeof found])
      return value >= least && value <= most
    }) && Number(memory) >= 8 * Number(parallelism)
  )
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
const NONE = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

async function hash(password: string, salt: Buffer, cost: typeof COST, network: string, regular?: string) {
  const message = Buffer.from(password.normalize('NFC'))
  try {
    const who = { group: siteOf(network), member: regular ?? network, isPreferred: regular !== undefined }
    return await queue.run(who, () => derive(message, salt, cost))
  } catch (error) {
    if (!(error instanceof QueueRefusal)) throw error
    if (error.reason === 'too many') throw tooMany()
    refused++
    throw new Unavailable('too many sign-ins at once')
  }
}

/** Call it before checking a stranger's password. @throws RATE_LIMITED if too many of this network wait */
export function assertTurn(network: string): void {
  if (queue.isFull({ group: siteOf(network), member: network })) throw tooMany()
}

function tooMany() {
  refused++
  return faults.rateLimited([], { 'retry-after': '1' }, 'passwords')
}

/** The package is native code, for every platform that Node has: 2.7 times as fast as argon2 of Node's own OpenSSL. */
function derive(message: Buffer, salt: Buffer, { memory, passes, parallelism, tagLength }: typeof COST) {
  return hashRaw(message, {
    algorithm: ARGON2ID,
    memoryCost: memory,
    timeCost: passes,
    outputLen: tagLength,
    parallelism,
    salt,
  })
}

/** How many wait in this process, and how many were refused since its start. */
export function passwordQueue(): { waiting: number; refused: number } {
  return { waiting: queue.waiting, refused }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
