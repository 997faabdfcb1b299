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

/**
 * Clients who sign in and fail to, try what they may not, send what cannot be read, load files up and down: every kind
 * of request that the audit has a rule for and the workload does not make.
 */
export function startCallers(
  remoteNow: () => Remote,
  companies: readonly Company[],
  { clients, requests = Number.POSITIVE_INFINITY }: { clients: number; requests?: number },
) {
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

    type Sent = ['get' | 'delete', path: string] | ['post' | 'put', path: string, body?: object]
    /** A request in JSON. @param by the token */
    const ask =
      (kind: string, rule: Rule, by: string | undefined, ...[method, path, body]: Sent) =>
      () =>
        call(kind, rule, (remote, headers) => {
          const client = remote.as(by)
          return method === 'get' || method === 'delete'
            ? client[method](path, headers)
            : client[method](path, body, headers)
        })
    /** One whose body is sent as it is. */
    const send = (kind: string, rule: Rule, path: string, type: object, body: string | Buffer) =>
      call(kind, rule, (remote, headers) => remote.send('POST', path, { ...bearer, ...type, ...headers }, body))
    const upload = (kind: string, rule: Rule, bytes: Buffer | string) => {
      const form = formOf([{ filename: `${contents}.png`, content: bytes }])
      return send(kind, rule, '/files', form.headers, form.payload)
    }
    const guest = (username: string) => ({ username, email: 'new@x.example', password, tenantCode })
    const me = person.token

    const kinds: (() => Promise<unknown>)[] = [
      async () => {
        const entry = { username: 'person-0', password: 'secret-1', tenantCode }
        const answer = await ask('sign in', { isWrite: true }, undefined, 'post', '/auth/login', entry)()
        refreshToken = answer?.data?.refreshToken ?? refreshToken
      },
      async () => {
        if (!refreshToken) return
        const sent = refreshToken
        refreshToken = undefined
        await ask('refresh', { isWrite: true }, undefined, 'post', '/auth/refresh', { refreshToken: sent })()
      },
      ask('sign in with a wrong password', {}, undefined, 'post', '/auth/login', guest('person-0')),
      ask('sign in as nobody', { user: null }, undefined, 'post', '/auth/login', guest(password)),
      ask('sign in nowhere', nobody, undefined, 'post', '/auth/login', { ...guest('x'), tenantCode: 'no-such-tenant' }),
      ask('refresh with a forged token', { user: null }, undefined, 'post', '/auth/refresh', {
        refreshToken: `${tenant}.${token.padEnd(43, 'x')}`,
      }),
      () =>
        call('register', { user: undefined, isWrite: true }, (remote, headers, name) =>
          remote.as().post('/auth/register', guest(`new-${name}`), headers),
        ),
      ask('register under a name that is taken', { user: null }, undefined, 'post', '/auth/register', guest('boss')),
      ask('change a password wrongly', {}, me, 'put', '/auth/password', {
        currentPassword: password,
        newPassword: password,
      }),
      ask('write without a token', nobody, undefined, 'post', '/projects', {}),
      ask('write with a forged token', nobody, token, 'post', '/projects', {}),
      ask('write what one may not', {}, me, 'post', '/tenants', {}),
      ask('read what one may not', {}, me, 'get', '/audit/operations'),
      ask('read what is not there', {}, me, 'get', '/tasks/999999999'),
      ask('read', { isNoted: false }, me, 'get', '/projects?keyword=a'),
      ask(
        'read the audit',
        { user: boss.id, isNoted: false },
        boss.token,
        'get',
        '/audit/operations?path=/api&method=POST',
      ),
      ask('read in public', nobody, undefined, 'get', '/public/faq'),
      ask('change what is not there', {}, me, 'put', '/tasks/999999999', { version: 0, title: 'x' }),
      ask('write at no route', {}, me, 'post', '/nowhere', {}),
      ask('use a wrong method', {}, me, 'delete', '/projects'),
      ask('write what is not valid', {}, me, 'post', '/approvals', { title: 7 }),
      () => send('send what is no JSON', {}, '/approvals', json, `{"${CANARIES.body}`),
      () => send('send another media type', {}, '/approvals', { 'content-type': 'text/plain' }, CANARIES.body),
      ask('mark all as read', { isWrite: true }, me, 'put', '/notifications/read-all'),
      async () => {
        const picture = Buffer.concat([pngOf(2000), Buffer.from(contents)])
        file = (await upload('upload a file', { isWrite: true }, picture))?.data?.key ?? file
      },
      () => upload('upload what is no picture', {}, contents),
      async () => {
        if (file) await ask('download a file', {}, me, 'get', `/files/${file}`)()
      },
      ask('download what is not there', {}, me, 'get', `/files/${tenant}/${'0'.repeat(32)}.png`),
    ]

    while (working && calls.length < requests) await pick(kinds)()
  }
}
