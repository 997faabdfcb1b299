import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  type Atrium,
  AtriumError,
  addressOf,
  createClient,
  type Options,
  type SessionStore,
  type Task,
} from '../../client/index.ts'
import { givenPassword } from '../support/quick-hash.ts'
import { allowed } from '../support/triggers.ts'
import { openWorld } from '../support/world.ts'

const world = await openWorld()
const baseUrl = await world.app.listen({ port: 0, host: '127.0.0.1' })
const tenant = await world.givenTenant()
await givenPassword(world, tenant.administrator, 'secret!')

/** Counts what is sent. */
function givenWire() {
  const sent: { url: string; headers: Headers; isServed: boolean }[] = []
  const wire: typeof fetch = async (url, how) => {
    const answer = await fetch(url, how)
    const path = String(url).replace(`${baseUrl}/api/v1`, '')
    sent.push({ url: path, headers: new Headers(how?.headers), isServed: answer.ok })
    return answer
  }
  return { sent, fetch: wire }
}

async function givenClient(options: Partial<Options> = {}): Promise<Atrium> {
  const client = createClient({ baseUrl, tenant: tenant.code, ...options })
  await client.signIn({ username: 'boss', password: 'secret!' })
  return client
}

let counter = 0
const draft = () => ({ name: 'Apollo', code: `C-${++counter}` })

describe('a client that has signed in', () => {
  test('sends a new idempotency key with each command, or the one it was given', async () => {
    const wire = givenWire()
    const client = await givenClient({ fetch: wire.fetch })
    await client.createProject({ body: draft() })
    await client.createProject({ body: draft() })
    await client.createProject({ body: draft() }, { idempotencyKey: 'mine' })
    const again = client.createProject({ body: draft() }, { idempotencyKey: 'mine' })
    await expect(again).rejects.toMatchObject({ status: 409, type: 'IDEMPOTENCY_KEY_REUSED' })
    // What did not happen is sent again, under its key.
    const keys = wire.sent.filter(({ url }) => url === '/projects').map(({ headers }) => headers.get('idempotency-key'))
    expect(new Set(keys).size).toBe(3)
    await client.createProject({ body: draft() }, { headers: { 'Idempotency-Key': 'spelt-otherwise' } })
    expect(wire.sent.at(-1)!.headers.get('idempotency-key')).toBe('spelt-otherwise')
  })

  test('sends again if the outcome is unknown, under the same key, so that it is done once', async () => {
    const client = await givenClient()
    const { id } = await client.createProject({ body: draft() })
    const keys: (string | null)[] = []
    const losing = await givenClient({
      fetch: async (url, how) => {
        const answer = await fetch(url, how)
        if (!String(url).endsWith('/tasks')) return answer
        keys.push(new Headers(how!.headers).get('idempotency-key'))
        if (answer.ok) throw new TypeError('the connection was reset')
        return answer
      },
    })
    const again = losing.createTask({ id, body: { title: 'Launch' } })
    await expect(again).rejects.toMatchObject({ type: 'IDEMPOTENCY_KEY_REUSED' })
    expect(new Set(keys).size).toBe(1)
    expect(await client.listTasks({ id })).toHaveLength(1)
  })

  test('sends again what has not happened, but no change without a key that may have', async () => {
    const soon = { status: 503, headers: { 'retry-after': '0.01' } }
    const refusal = (type: string, how: ResponseInit) =>
      Response.json({ message: type, error: { type, details: [] } }, how)
    function answers(...refusals: Response[]) {
      let sent = 0
      const wire = async () => refusals[sent++] ?? Response.json({ data: 'done' })
      return { client: createClient({ baseUrl, fetch: wire as typeof fetch }), sent: () => sent }
    }
    const away = answers(refusal('UNAVAILABLE', soon), refusal('UNAVAILABLE', soon))
    expect(await away.client.archiveProject({ id: 1 })).toBe('done')
    expect(away.sent()).toBe(3)
    for (const [type, answer] of [
      ['OUTCOME_UNKNOWN', refusal('OUTCOME_UNKNOWN', { status: 503 })],
      // A proxy asks for it, and does not know.
      ['NO_ANSWER', new Response('<h1>503</h1>', soon)],
    ] as const) {
      const lost = answers(answer)
      await expect(lost.client.archiveProject({ id: 1 })).rejects.toMatchObject({ type })
      expect(lost.sent()).toBe(1)
    }
  })

  test('neither sends again nor waits for it once its request is broken off', async () => {
    const breaking = new AbortController()
    let calls = 0
    const client = await givenClient({
      fetch: async (url, how) => {
        if (!String(url).endsWith('/projects')) return fetch(url, how)
        calls++
        breaking.abort(new Error('nobody needs it any more'))
        return new Response('', { status: 503, headers: { 'retry-after': '3600' } })
      },
    })

    const asked = client.listProjects({}, { signal: breaking.signal })

    await expect(asked).rejects.toThrow('nobody needs it any more')
    expect(calls).toBe(1)
  })

  test('knows what an operation takes and yields before it is run', () => {
    type Client = Atrium
    expectTypeOf<Awaited<ReturnType<Client['getTask']>>>().toEqualTypeOf<Task>()
    // @ts-expect-error a task has an id
    void ((client: Client) => client.getTask())
    // @ts-expect-error there is no such priority
    void ((client: Client) => client.createTask({ id: 1, body: { title: '', priority: 'SOON' } }))
    // @ts-expect-error there is no such operation
    void ((client: Client) => client.dropEverything())
    // @ts-expect-error one task is no list
    void ((client: Client) => client.each.getTask({ id: 1 }))
    // @ts-expect-error a file has a name
    void ((client: Client) => client.uploadFile({ body: { file: new Blob() } }))
  })
})

describe('a refusal', () => {
  test('is an error that tells its type, and with it what its details hold', async () => {
    const client = await givenClient()
    const project = await client.createProject({ body: draft() })
    const task = await client.createTask({ id: project.id, body: { title: 'Launch' } })
    const refusalOf = (call: Promise<unknown>): Promise<AtriumError> =>
      call.then(
        () => expect.fail('it was not refused'),
        (error) => error,
      )

    const error = await refusalOf(client.updateProject({ id: project.id, body: { version: 7, name: 'Gemini' } }))
    expect(error).toBeInstanceOf(AtriumError)
    expect(error).toMatchObject({ status: 409, requestId: expect.any(String), message: expect.any(String) })
    if (!error.is('VERSION_CONFLICT')) throw error
    expect(error.details[0]).toMatchObject({ expected: 7, actual: 0 })

    const gone = await refusalOf(client.getTask({ id: 999_999 }))
    if (!gone.is('NOT_FOUND')) throw gone
    expectTypeOf(gone.message).toEqualTypeOf<string>()

    const rare = await refusalOf(client.createProject({ body: { name: 'Apollo', code: project.code } }))
    if (!rare.is('PROJECT_CODE_TAKEN')) throw rare
    expectTypeOf(rare.details).toEqualTypeOf<typeof gone.details>()

    const hasty = await refusalOf(client.updateTask({ id: task.id, body: { version: 0, status: 'DONE' } }))
    if (!hasty.is('ILLEGAL_TRANSITION')) throw hasty
    const moves = hasty.details.flatMap((move) => (move.path === 'body.status' ? move.allowed : []))
    expect(moves).toEqual(['IN_PROGRESS', 'CANCELLED'])

    const stale = { headers: { 'if-match': `"${task.id}-7"` } }
    const chinese = await givenClient({ language: 'zh-CN' })
    await expect(chinese.getTask({ id: 999_999 })).rejects.toMatchObject({ message: '任务不存在' })

    const late = await refusalOf(client.updateTask({ id: task.id, body: { title: 'Land' } }, stale))
    if (!late.is('PRECONDITION_FAILED')) throw late
    expect(late.details.map(({ expected, actual }) => [...expected, actual])).toEqual([[7, 0]])
  })

  test('of a proxy in between, or no answer at all, is an AtriumError too', async () => {
    const broken = () => new ReadableStream({ start: (body) => body.error(new TypeError('terminated')) })
    for (const [answer, refusal] of [
      [() => new Response('<h1>Bad gateway</h1>', { status: 502 }), { status: 502 }],
      [() => new Response('<h1>Welcome to the hotel</h1>'), { status: 200 }],
      [() => new Response(broken()), { status: 200 }],
      [() => new Response(broken(), { status: 502 }), { status: 502 }],
      [() => new Response('', { status: 503, headers: { 'retry-after': '2' } }), { retryAfter: 2 }],
    ] as const) {
      const client = createClient({ baseUrl, retries: 0, fetch: async () => answer() })
      await expect(client.getPublicHome()).rejects.toMatchObject({ type: 'NO_ANSWER', ...refusal })
    }
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:1' })
    await expect(nobody.getPublicHome()).rejects.toMatchObject({ status: 0, type: 'NO_ANSWER' })
  })
})

describe('an access token that has run out', () => {
  test('is exchanged once, however many requests ran into it, and nobody notices', async () => {
    const wire = givenWire()
    const store = givenStore()
    const client = await givenClient({ fetch: wire.fetch, session: store })
    store.save({ ...store.load()!, accessToken: 'stale' })
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.getMe()))
    expect(answers.every(({ username }) => username === 'boss')).toBe(true)
    expect(wire.sent.filter(({ url, isServed }) => url === '/auth/refresh' && isServed)).toHaveLength(1)
  })

  test('is exchanged by each of twelve tabs that share the session, and all of them stay signed in', async () => {
    const store = givenStore()
    await givenClient({ session: store })
    store.save({ ...store.load()!, accessToken: 'stale' })
    const tabs = Array.from({ length: 12 }, () => createClient({ baseUrl, tenant: tenant.code, session: store }))
    // Other tabs use a token for ten seconds more; here they do so however long they take.
    for (const statement of [
      `create function linger() returns trigger language plpgsql as $$
         begin new.used_at := now() + interval '1 hour'; return new; end $$`,
      allowed(
        'create trigger linger before update of used_at on refresh_tokens for each row execute function linger()',
      ),
    ])
      await world.look.rows(statement)
    const answers = await Promise.all(tabs.map((tab) => tab.getMe()))
    expect(answers.map(({ username }) => username)).toEqual(tabs.map(() => 'boss'))
    expect((await tabs[0]!.getMe()).username).toBe('boss')
  })

  test('does not take the session of somebody else who has signed in in another tab', async () => {
    const store = givenStore()
    await givenClient({ session: store })
    const own = store.load()!
    const theirs = { accessToken: (await world.givenUser(tenant)).token, refreshToken: 'theirs' }
    const wire: typeof fetch = async (_, init) => {
      store.save(theirs)
      const isOwn = new Headers(init?.headers).get('authorization') === `Bearer ${own.accessToken}`
      return new Response('{}', { status: isOwn ? 401 : 200 })
    }
    const client = createClient({ baseUrl, fetch: wire, session: store })
    await expect(client.archiveProject({ id: 1 })).rejects.toMatchObject({ status: 401 })
    expect(store.load()).toEqual(theirs)
  })

  test('keeps its session while the service cannot say whether that is over, and the failure is the reason', async () => {
    const store = givenStore()
    const held = { accessToken: 'stale', refreshToken: 'held' }
    const away = { message: 'away', error: { type: 'UNAVAILABLE', details: [] } }
    for (const [refresh, reason] of [
      [() => Response.json(away, { status: 503 }), { status: 503, type: 'UNAVAILABLE' }],
      [() => Promise.reject(new TypeError('reset')), { status: 0, type: 'NO_ANSWER' }],
    ] as const) {
      store.save(held)
      const wire: typeof fetch = async (url) =>
        String(url).endsWith('/auth/refresh') ? refresh() : new Response('{}', { status: 401 })
      const client = createClient({ baseUrl, fetch: wire, session: store, retries: 0 })
      await expect(client.getMe()).rejects.toMatchObject(reason)
      expect(store.load()).toEqual(held)
    }
  })

  test('and whose session is over by then leaves the session that was begun meanwhile in another tab', async () => {
    const store = givenStore()
    store.save({ accessToken: 'stale', refreshToken: 'over' })
    const begun = { accessToken: 'new', refreshToken: 'new' }
    const wire: typeof fetch = async (url) => {
      if (String(url).endsWith('/auth/refresh')) store.save(begun)
      return new Response('{}', { status: 401 })
    }
    const client = createClient({ baseUrl, fetch: wire, session: store })
    await expect(client.getMe()).rejects.toMatchObject({ status: 401 })
    expect(store.load()).toEqual(begun)
  })

  test('of a session that is over ends it here as well, and signing out of it is no failure', async () => {
    const store = givenStore()
    const client = await givenClient({ session: store })
    store.save({ accessToken: 'stale', refreshToken: 'unknown' })
    await expect(client.getMe()).rejects.toMatchObject({ status: 401, type: 'UNAUTHENTICATED' })
    expect(store.load()).toBeUndefined()
    store.save({ accessToken: 'stale', refreshToken: 'unknown' })
    await client.signOut()
    expect(store.load()).toBeUndefined()
  })
})

test('signing out ends the session on the service', async () => {
  const store = givenStore()
  const client = await givenClient({ session: store })
  const { accessToken } = store.load()!
  await client.signOut()
  expect(store.load()).toBeUndefined()
  const thief = createClient({ baseUrl, session: { load: () => ({ accessToken, refreshToken: '' }), save() {} } })
  await expect(thief.getMe()).rejects.toMatchObject({ status: 401 })
})

test('a file goes up under its name and comes down as bytes, in part, or not again', async () => {
  const client = await givenClient()
  const file = await client.uploadFile({ body: { file: new File(['a,b\n1,2\n'], 'Zahlen.csv', { type: 'text/csv' }) } })
  expect(file.originalName).toBe('Zahlen.csv')
  const download = (headers: Record<string, string> = {}) => client.downloadFile(addressOf(file), { headers })
  const whole = await download()
  expect(await whole.text()).toBe('a,b\n1,2\n')
  const part = await download({ range: 'bytes=0-2' })
  expect([part.status, await part.text()]).toEqual([206, 'a,b'])
  const known = await download({ 'if-none-match': whole.headers.get('etag')! })
  expect([known.status, await known.text()]).toEqual([304, ''])
})

/** A session that several clients share, as tabs share `localStorage`. */
function givenStore(): SessionStore {
  let text: string | undefined
  return {
    load: () => (text === undefined ? undefined : JSON.parse(text)),
    save(session) {
      text = session && JSON.stringify(session)
    },
  }
}
