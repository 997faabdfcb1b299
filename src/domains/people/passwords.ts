import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Unavailable } from '../../data/wire/unavailable.ts'

/**
 * argon2id with the parameters of OWASP's first choice for 19 MiB (t=2, p=1), stored in the PHC string format.
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const derive = promisify(argon2)

/** A flood of sign-ins must not take all memory: so many hash at once, so many wait, the rest are turned away. */
const AT_ONCE = 4
const MOST_WAITING = 200
let running = 0
let refused = 0
const waiting: (() => void)[] = []

/** The PHC string of a password. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await hash(password, salt, COST)
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(salt)}$${base64(tag)}`
}

/** Whether the password is the one that was hashed. Without a hash, or with none of ours, it takes the same time and says no. */
export async function verifyPassword(password: string, phc: string | undefined): Promise<boolean> {
  const { known, salt, tag, cost } = readPhc(phc)
  const actual = await hash(password, salt, cost)
  return timingSafeEqual(actual, tag) && known
}

/** What a PHC string says; of one that is none of ours, what costs as much as one that is. */
export function readPhc(phc: string | undefined) {
  const known = PHC.exec(phc ?? '')
  const [, memory, passes, parallelism, salt, tag] = known ?? PHC.exec(NOBODY)!
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

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
const NOBODY = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

async function hash(password: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> {
  await enter()
  try {
    return await derive('argon2id', { message: Buffer.from(password.normalize('NFC')), nonce, ...cost })
  } finally {
    running--
    waiting.shift()?.()
  }
}

async function enter(): Promise<void> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MOST_WAITING) {
      refused++
      throw new Unavailable('too many sign-ins at once')
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  running++
}

/** How many wait for their turn in this process, and how many were turned away since it began. */
export function passwordQueue(): { waiting: number; refused: number } {
  return { waiting: waiting.length, refused }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
