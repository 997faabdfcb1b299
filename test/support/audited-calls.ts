import { setTimeout as sleep } from 'node:timers/promises'
import { CANARIES } from './canaries.ts'
import type { Answer } from './client.ts'
import { formOf, pngOf } from './form.ts'
import type { Remote } from './remote.ts'
import { type Company, type Entry, type Person, randomFrom } from './workload.ts'

/** A request, what became of it, and what the audit must say about it. */
export interface Call {
  /** the X-Request-Id */
  id: string
  kind: string
  tenant: number
  /** whom the audit names; null for no one, undefined if either is possible */
  user: number | null | undefined
  isNoted: boolean
  /** its row commits with what it did; otherwise it is written behind the answer */
  isWrite: boolean
  /** undefined: nobody knows what became of it */
  status: number | undefined
  answeredAt: number
}

/** What the workload has done, in these terms. */
export function callsOf(history: readonly Entry[]): Call[] {
  return history.map(({ id, kind, tenant, actor, outcome, status, at, ms }) => ({
    ...{ id, kind, tenant, user: actor, isNoted: kind !== 'read', isWrite: outcome === 'ok' },
    ...{ status: outcome === 'unknown' ? undefined : status, answeredAt: at + ms },
  }))
}

export interface Callers {
  calls: Call[]
  done: Promise<unknown>
  stop(): Promise<void>
}

/**
 * Clients who sign in and fail to, try what they may not, send what cannot be read, load files up and down: every kind
 * of request that the audit has a rule for and the workload does not make.
 */
export function startCallers(
  remoteNow: () => Remote,
  companies: readonly Company[],
  { clients, requests = Number.POSITIVE_INFINITY }: { clients: number; requests?: number },
): Callers {
  const calls: Call[] = []
  const run = Math.floor(Math.random() * 36 ** 4).toString(36)
  let working = true
  const done = Promise.all(Array.from({ length: clients }, (_, at) => work(at)))
  return {
    calls,
    done,
    async stop() {
      working = false
      await done
    },
  }

  async function work(at: number) {
    const chance = randomFrom(at + 1)
    const pick = <T>(items: readonly T[]): T => items[Math.floor(chance() * items.length)]!
    const company = companies[at % companies.length]!
    const [boss, person] = company.people as [Person, Person]
    const { tenant, code: tenantCode } = company
    let file: string | undefined
    let refreshToken: string | undefined
    let sequence = 0

    interface Rule {
      user?: number | null | undefined
      isNoted?: boolean
      isWrite?: boolean
    }
    async function call(
      kind: string,
      rule: Rule,
      send: (remote: Remote, headers: Record<string, string>, name: string) => Promise<Answer>,
    ): Promise<Answer | undefined> {
      const id = `c${run}-${at}-${++sequence}`
      const usual = { user: person.id, isNoted: true, isWrite: false }
      const entry: Call = { ...usual, ...rule, id, kind, tenant, status: undefined, answeredAt: Infinity }
      calls.push(entry)
      try {
        const answer = await send(remoteNow(), { 'x-request-id': id }, `${run}-${at}-${sequence}`)
        if (answer.status < 500) entry.status = answer.status
        entry.answeredAt = performance.now()
        return answer
      } catch {
        // The service was killed; a client that was not served waits a moment.
        await sleep(50 + 100 * chance())
        return undefined
      }
    }

    const bearer = { authorization: `Bearer ${person.token}` }
    const nobody = { user: null, isNoted: false }
    const { password, token, file: contents } = CANARIES
    const json = { 'content-type': 'application/json' }

    const kinds: (() => Promise<unknown>)[] = [
      async () => {
        const entry = { username: 'person-0', password: 'secret-1', tenantCode }
        const answer = await call('sign in', { isWrite: true }, (remote, headers) =>
          remote.as().post('/auth/login', entry, headers),
        )
        refreshToken = answer?.data?.refreshToken ?? refreshToken
      },
      () =>
        call('sign in with a wrong password', {}, (remote, headers) =>
          remote.as().post('/auth/login', { username: 'person-0', password, tenantCode }, headers),
        ),
      () =>
        call('sign in as nobody', { user: null }, (remote, headers) =>
          remote.as().post('/auth/login', { username: password, password, tenantCode }, headers),
        ),
      () =>
        call('sign in nowhere', nobody, (remote, headers) =>
          remote.as().post('/auth/login', { username: 'x', password, tenantCode: 'no-such-tenant' }, headers),
        ),
      async () => {
        if (!refreshToken) return
        const sent = refreshToken
        refreshToken = undefined
        await call('refresh', { isWrite: true }, (remote, headers) =>
          remote.as().post('/auth/refresh', { refreshToken: sent }, headers),
        )
      },
      () =>
        call('refresh with a forged token', { user: null }, (remote, headers) =>
          remote.as().post('/auth/refresh', { refreshToken: `${tenant}.${token.padEnd(43, 'x')}` }, headers),
        ),
      () =>
        call('register', { user: undefined, isWrite: true }, (remote, headers, name) =>
          remote
            .as()
            .post('/auth/register', { username: `new-${name}`, email: 'new@x.example', password, tenantCode }, headers),
        ),
      () =>
        call('register under a name that is taken', { user: null }, (remote, headers) =>
          remote
            .as()
            .post('/auth/register', { username: 'boss', email: 'new@x.example', password, tenantCode }, headers),
        ),
      () =>
        call('change a password wrongly', {}, (remote, headers) =>
          remote.as(person.token).put('/auth/password', { currentPassword: password, newPassword: password }, headers),
        ),
      () => call('write without a token', nobody, (remote, headers) => remote.as().post('/projects', {}, headers)),
      () =>
        call('write with a forged token', nobody, (remote, headers) => remote.as(token).post('/projects', {}, headers)),
      () =>
        call('write what one may not', {}, (remote, headers) => remote.as(person.token).post('/tenants', {}, headers)),
      () =>
        call('read what one may not', {}, (remote, headers) =>
          remote.as(person.token).get('/audit/operations', headers),
        ),
      () =>
        call('read what is not there', {}, (remote, headers) =>
          remote.as(person.token).get('/tasks/999999999', headers),
        ),
      () =>
        call('read', { isNoted: false }, (remote, headers) =>
          remote.as(person.token).get('/projects?keyword=a', headers),
        ),
      () =>
        call('read the audit', { user: boss.id, isNoted: false }, (remote, headers) =>
          remote.as(boss.token).get('/audit/operations?path=/api&method=POST', headers),
        ),
      () =>
        call('change what is not there', {}, (remote, headers) =>
          remote.as(person.token).put('/tasks/999999999', { version: 0, title: 'x' }, headers),
        ),
      () => call('write at no route', {}, (remote, headers) => remote.as(person.token).post('/nowhere', {}, headers)),
      () => call('use a wrong method', {}, (remote, headers) => remote.as(person.token).delete('/projects', headers)),
      () =>
        call('write what is not valid', {}, (remote, headers) =>
          remote.as(person.token).post('/approvals', { title: 7 }, headers),
        ),
      () =>
        call('send what is no JSON', {}, (remote, headers) =>
          remote.send('POST', '/approvals', { ...bearer, ...json, ...headers }, `{"${CANARIES.body}`),
        ),
      () =>
        call('send another media type', {}, (remote, headers) =>
          remote.send('POST', '/approvals', { ...bearer, 'content-type': 'text/plain', ...headers }, CANARIES.body),
        ),
      () =>
        call('mark all as read', { isWrite: true }, (remote, headers) =>
          remote.as(person.token).put('/notifications/read-all', undefined, headers),
        ),
      async () => {
        const form = formOf([
          { filename: `${contents}.png`, content: Buffer.concat([pngOf(2000), Buffer.from(contents)]) },
        ])
        const answer = await call('upload a file', { isWrite: true }, (remote, headers) =>
          remote.send('POST', '/files', { ...bearer, ...form.headers, ...headers }, form.payload),
        )
        file = answer?.data?.key ?? file
      },
      () =>
        call('upload what is no picture', {}, (remote, headers) => {
          const form = formOf([{ filename: `${contents}.png`, content: contents }])
          return remote.send('POST', '/files', { ...bearer, ...form.headers, ...headers }, form.payload)
        }),
      async () => {
        if (file)
          await call('download a file', {}, (remote, headers) => remote.as(person.token).get(`/files/${file}`, headers))
      },
      () =>
        call('download what is not there', {}, (remote, headers) =>
          remote.as(person.token).get(`/files/${tenant}/${'0'.repeat(32)}.png`, headers),
        ),
      () => call('read in public', nobody, (remote, headers) => remote.as().get('/public/faq', headers)),
    ]

    while (working && calls.length < requests) await pick(kinds)()
  }
}
