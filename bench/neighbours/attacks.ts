import { type ClientRequest, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Member } from '../fill.ts'
import { PASSWORD, PHRASE } from './phrase.ts'

/** What one neighbour does, in its own thread so that it does not slow down what is measured. */
export interface Errand {
  attack: keyof typeof ATTACKS
  port: number
  /** one person of each of two tenants, neither of them the victim's */
  members: Member[]
  tenantCode: string
  seconds: number
}

/** A different network from the victim's. */
const LOCAL = { host: '127.0.0.1', localAddress: '127.66.0.1' }
/** The beginning of a phrase that each of the long descriptions repeats, and then a letter that none has. */
const ALMOST = encodeURIComponent(PHRASE.replace(/.$/, 'X'))
const MEGABYTE = Buffer.alloc(1_048_576, 'x')
const seen = new Map<string, number>()

export const ATTACKS = {
  '8 searches that almost match': () => crowd(8, searchTasks),
  '32 searches that almost match': () => crowd(32, searchTasks),
  '2 × 8 such searches by two tenants': () => Promise.all(members.map((one) => crowd(8, () => searchTasks(one)))),
  '16 searches of the blog by strangers': () => crowd(16, searchBlog),
  '80 large lists that nobody reads': () => crowd(80, leaveUnread),
  '60 sign-ins of one account with the right password': () => crowd(60, signInRightly),
  '230 sign-ins with ever new names': () => crowd(230, signIn),
  '40 bodies of 1 MB a second by strangers': () => crowd(40, sendLargeBody),
  '20 × 5 000 pipelined requests': () => crowd(20, pipeline),
}

const { attack, port, members, tenantCode, seconds } = (workerData ?? { members: [] }) as Errand
const [member] = members as [Member]
const end = performance.now() + seconds * 1000
let times = 0

async function crowd(size: number, once: () => Promise<string>): Promise<void> {
  await Promise.all(
    Array.from({ length: size }, async () => {
      while (performance.now() < end) {
        const outcome = await once().catch((error) => error.code ?? 'cut')
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
        // A refused request is repeated after a pause, not immediately.
        if (!outcome.startsWith('2') && outcome !== '401') await sleep(100)
      }
    }),
  )
}

const searchTasks = ({ token, quietProjects } = member) =>
  ask('GET', `/projects/${quietProjects[0]}/tasks?keyword=${ALMOST}`, { authorization: `Bearer ${token}` })
const searchBlog = () => ask('GET', `/public/blog?keyword=${ALMOST}`, { 'x-tenant-code': tenantCode })

const signIn = () => signInAs(`nobody-${++times}`, 'wrong horse')
const signInRightly = () => signInAs(`user-${member.user}`, PASSWORD)

function signInAs(username: string, password: string): Promise<string> {
  const body = JSON.stringify({ username, password, tenantCode })
  return ask('POST', '/auth/login', { 'content-type': 'application/json' }, Buffer.from(body))
}

async function sendLargeBody(): Promise<string> {
  const [outcome] = await Promise.all([
    ask('POST', '/auth/login', { 'content-type': 'application/json' }, MEGABYTE),
    sleep(1000),
  ])
  return outcome
}

/** Resolves with the status, once the answer has been read. */
function ask(method: string, path: string, headers: object, body?: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = body && { 'content-length': body.length }
    const call: ClientRequest = request({
      ...LOCAL,
      port,
      method,
      path: `/api/v1${path}`,
      headers: { ...headers, ...length },
    })
    call.on('response', (answer) =>
      answer
        .resume()
        .on('end', () => resolve(String(answer.statusCode)))
        .on('error', reject),
    )
    call.on('error', reject)
    call.end(body)
  })
}

/** Requests the largest pages, as a stranger or signed in, and reads nothing of them until it is disconnected. */
function leaveUnread(): Promise<string> {
  const [path, header] =
    ++times % 2
      ? ['/public/blog?pageSize=100', `x-tenant-code: ${tenantCode}`]
      : [`/projects/${member.quietProjects[0]}/tasks?pageSize=1000`, `authorization: Bearer ${member.token}`]
  return converse(`GET /api/v1${path} HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n`.repeat(8), false)
}

const pipeline = () => converse('GET /api/v1/public/home HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(5000), true)

/** Writes all of it in one call. @returns how the connection ended */
function converse(text: string, reads: boolean): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ ...LOCAL, port })
    if (reads) socket.resume()
    else socket.pause()
    const patience = setTimeout(() => socket.destroy(), Math.max(0, end - performance.now()))
    socket.on('error', () => {})
    socket.on('end', () => socket.destroy())
    socket.on('close', (hadError) => {
      clearTimeout(patience)
      resolve(hadError ? 'cut' : 'closed')
    })
    socket.write(text)
  })
}

if (parentPort) {
  await Promise.race([ATTACKS[attack](), sleep(seconds * 1000 + 2000)])
  parentPort.postMessage(Object.fromEntries(seen))
  process.exit()
}
