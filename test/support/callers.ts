import type { InjectOptions } from 'fastify'
import { grantsOf } from '../../src/kernel/access.ts'
import { signWebhook } from '../../src/util/secrets/standard-webhooks.ts'
import type { Answer, Client } from './client.ts'
import { testConfig } from './config.ts'
import { formOf, pngOf } from './form.ts'
import { givenConfirmationToken, givenResetToken } from './links.ts'
import { obedient } from './obedient.ts'
import { until } from './patience.ts'
import { lendProvider } from './provider.ts'
import { givenCode, givenState, nameProvider, reaching, startQuery } from './provider-steps.ts'
import { sentAs } from './requests.ts'
import type { Route } from './routes.ts'
import { addressOf, fillPath, idsOfQuery, isUndone, kindsIn, make, makerOf, sampleOf, withIds } from './samples.ts'
import { addFactor, begunCode, forgetFactor, givenFactor } from './second-factor.ts'
import type { World } from './world.ts'

/**
 * A caller of the service, with their own tenant around them. Everything they ask for exists, made again for each
 * request, so that only a missing right can stop them.
 */
export interface Caller {
  name: 'anonymous' | 'user' | 'tenant-admin' | 'admin'
  /** Sends a good request to the route; `added` goes into its body, if it has one, and its headers beside what belongs there. */
  call(route: Route, added?: { body?: object; headers?: Record<string, string> }): Promise<Answer>
  /** What a GET of an address is answered. */
  statusOf(url: string): Promise<number>
}

const PASSWORD = 'a password of callers'
let counter = 0
const unique = (word: string) => `${word}-of-callers-${++counter}`
const key = () => ({ 'idempotency-key': unique('key') })

/** Whether a caller makes a thing of a kind themselves, so that it is theirs; what is not comes from their administrator. */
function mayMake(name: Caller['name'], kind: string): boolean {
  const access = makerOf(kind)?.access
  const role = name === 'anonymous' ? 'admin' : name
  return access === 'signed-in' || grantsOf(role).some((permission) => permission === access)
}

/** All four. Everything goes over the wire: the accounts, too, are made and signed in as clients do it. */
export async function openCallers(world: World): Promise<Caller[]> {
  const anyone = obedient(world.anyone)
  await changePassword('admin', 'admin123')
  const first = await openTenant('default', 'admin', PASSWORD)
  const system = first.account.client
  const theirs = await newTenant()
  const second = await openTenant(theirs.code, 'root', PASSWORD)
  const third = await newTenant()
  const boss = await openTenant(third.code, 'root', PASSWORD)
  const user = await boss.employ()
  return [
    callerOf('anonymous', first.account, first, () => ({})),
    callerOf('user', user, boss, bearer),
    callerOf('tenant-admin', second.account, second, bearer),
    callerOf('admin', first.account, first, bearer),
  ]

  interface Account {
    id: number
    username: string
    password: string
    tenantCode: string
    accessToken: string
    client: Client
    /** the department that this person leads */
    leads?: Promise<{ id: number }>
  }

  /** What the first administrator begins with is none that a person could choose. */
  async function changePassword(username: string, currentPassword: string) {
    const { client } = await signIn({ username, password: currentPassword, tenantCode: 'default' })
    ;(await client.put('/auth/password', { currentPassword, newPassword: PASSWORD })).expect(200)
  }

  async function newTenant() {
    const draft = {
      name: 'T',
      plan: 'test',
      registration: 'open',
      adminUsername: 'root',
      adminEmail: 'root@example.com',
    }
    return await system.create('/tenants', { ...draft, code: unique('t'), adminPassword: PASSWORD })
  }

  async function openTenant(code: string, username: string, password: string) {
    const account = await signIn({ username, password, tenantCode: code })
    const { tenantId } = await account.client.read('/auth/me')
    const plans = await account.client.read('/public/pricing')
    ;(await account.client.put('/content/portal/pricing', plans)).expect(200)
    return {
      id: tenantId as number,
      account,
      async employ(): Promise<Account> {
        const username = unique('user')
        await account.client.create('/users', { username, password: PASSWORD })
        return signIn({ username, password: PASSWORD, tenantCode: code })
      },
    }
  }
  type Home = Awaited<ReturnType<typeof openTenant>>

  async function signIn(credentials: { username: string; password: string; tenantCode: string }): Promise<Account> {
    const { accessToken } = (await anyone.post('/auth/login', credentials)).expect(200)
    const client = obedient(world.as({ token: accessToken }))
    const { id } = await client.read('/auth/me')
    return { ...credentials, id, accessToken, client }
  }

  function bearer({ accessToken }: Account): Record<string, string> {
    return { authorization: `Bearer ${accessToken}` }
  }

  /** @param account who calls, or whose things an anonymous caller asks for */
  function callerOf(name: Caller['name'], account: Account, home: Home, tokenOf: (account: Account) => object): Caller {
    const own = account.client
    const boss = home.account.client

    async function given(client: Client, path: string, draft?: object, headers?: Record<string, string>) {
      return await client.create(path, draft, headers)
    }
    const invitation = async (): Promise<string> =>
      (await given(boss, '/invitations', { email: `${unique('guest')}@example.com` })).acceptUrl.split('#token=')[1]
    const project = () => given(own, '/projects', { name: 'P', code: unique('P') }, key())
    const article = () => given(boss, '/content/articles', { title: 'A', content: ['Text.'], status: 'published' })
    /** One leads one department at most: this is the caller's, and so they decide on what they apply for. */
    async function request(path: string, method = '') {
      account.leads ??= given(boss, '/departments', { name: 'L', code: unique('L'), leaderId: account.id })
      const department = await account.leads
      const { id } = await given(own, '/approvals', { type: 'leave', title: 'R', departmentId: department.id })
      const isDraft = path.endsWith('/submit') || (method === 'PUT' && path.endsWith('/:id'))
      if (!isDraft) (await own.post(`/approvals/${id}/submit`, undefined, key())).expect(200)
      return id
    }

    type Around = Record<string, number | string>
    const fresh: Record<string, (path: string, method?: string, around?: Around) => Promise<number | string>> = {
      tenants: async () => (await newTenant()).id,
      tenantId: async () => home.id,
      organizations: async () => (await boss.read('/organizations/current')).id,
      permissions: async () => (await given(system, '/permissions', { code: `thing:${unique('p')}`, name: 'P' })).id,
      menus: async () => (await given(system, '/menus', { name: 'M' })).id,
      projects: async (path) => {
        const { id } = await project()
        if (path.endsWith('/unarchive')) (await own.put(`/projects/${id}/archive?version=0`)).expect(200)
        return id
      },
      tasks: async () => (await given(own, `/projects/${(await project()).id}/tasks`, { title: 'T' })).id,
      approvals: request,
      notifications: async () => {
        await request('')
        const newest = async () => (await own.read('/notifications?read=false'))[0]?.id ?? false
        return until(newest)
      },
      articles: async () => (await article()).id,
      blog: async () => (await article()).id,
      comments: async () => (await given(own, `/blog/${(await article()).id}/comments`, { content: 'C' })).id,
      'contact-messages': async () => {
        const message = { email: 'ada@example.org', message: 'Hello' }
        await given(anyone, '/public/contact', message, { 'x-tenant-code': account.tenantCode })
        return (await boss.read('/content/contact-messages'))[0].id
      },
      orderNo: async () => (await given(own, '/payments/checkout', { planId: 2, channel: 'card' })).orderNo,
      filename: async (path) => {
        const form = formOf([{ filename: 'picture.png', content: pngOf(100) }])
        const file = (await own.send({ method: 'POST', url: '/api/v1/files', ...form })).expect(201)
        if (path.startsWith('/public/'))
          await given(boss, '/content/articles', { title: 'A', cover: file.url, status: 'published' })
        return file.key.split('/')[1]
      },
      sessions: async () => {
        await signIn(account)
        return (await own.read('/auth/sessions'))[0].id
      },
      // A person has one key, so each calendar is of somebody else.
      key: async () => {
        const { client } = await home.employ()
        return /([^/]+)\.ics$/.exec((await given(client, '/users/me/calendar-key', {})).url)![1]!
      },
      mails: () => world.givenDeadMail(home),
      deliveryId: (_path, _method, around) => world.givenDeadDelivery(home, { id: around!.webhooks as number }),
      section: async () => 'home',
      provider: async () => 'demo',
      tenantCode: async () => tenantCode,
    }

    /** @param around what the new thing lies below, by its kind */
    const idOfKind = (kind: string, path = '', method = '', around: Around = {}): Promise<number | string> =>
      fresh[kind]?.(path, method, around) ??
      make(mayMake(name, kind) ? own : boss, kind, async (one) => around[one] ?? idOfKind(one))

    const { username, password, tenantCode } = account
    /** Without a token: they share the account of the administrator, who is asked at the same time. */
    const isNobody = name === 'anonymous'
    const bodies: Record<string, () => Promise<object>> = {
      'POST /auth/login': async () => ({ username, password, tenantCode }),
      'PUT /auth/password': async () => ({ currentPassword: password, newPassword: password }),
      'POST /auth/second-factor/confirm': async () => ({ code: isNobody ? '492039' : await begunCode(own, password) }),
      'POST /auth/second-factor': async () => ({ password }),
      'DELETE /auth/second-factor': async () => ({ password }),
      'PUT /users/me': async () => ({ nickname: unique('nickname') }),
      // Its version rises with each call.
      'PUT /tenant/settings': async () => ({ registration: 'open' }),
      'POST /auth/invitations/preview': async () => ({ token: await invitation() }),
      'POST /auth/invitations/accept': async () => ({
        token: await invitation(),
        username: unique('guest'),
        password: PASSWORD,
      }),
      'POST /auth/password-resets/confirm': async () => ({
        token: await givenResetToken(world, home.id, (await home.employ()).id),
        newPassword: PASSWORD,
      }),
      'POST /payments/callback/:provider': async () => {
        const { orderNo } = await given(isNobody ? boss : own, '/payments/checkout', { planId: 2, channel: 'card' })
        return { orderNo, status: 'paid', occurredAt: new Date().toISOString() }
      },
      'POST /auth/email/confirm': async () => ({
        token: await givenConfirmationToken(world, home.id, (await home.employ()).id),
      }),
      'PUT /tenant/identity-provider': async () => ({ ...(await lendProvider()).client, createUsers: true }),
      'POST /auth/oidc/exchange': async () => ({ code: await givenCode(world.app, tenantCode) }),
      'POST /auth/refresh': async () => {
        const { refreshToken } = (await anyone.post('/auth/login', account)).expect(200)
        return { refreshToken }
      },
    }

    return {
      name,
      async statusOf(url) {
        return (await world.app.inject({ method: 'GET', url, headers: { ...tokenOf(account) } })).statusCode
      },
      async call(route, added = {}) {
        const at = `${route.method} ${route.path}`
        const around: Record<string, number | string> = {}
        for (const kind of kindsIn(route)) around[kind] = await idOfKind(kind, route.path, route.method, around)
        const ids = Object.values(around)
        if (isUndone(route)) await boss.put(fillPath(route.path, ids))
        if (at === 'POST /tenants/:id/reopen') await system.post(`/tenants/${ids[0]}/close`)
        if (at === 'POST /tasks/:id/restore') await boss.delete(`/tasks/${ids[0]}?version=0`)
        if (at === 'POST /users/:id/restore') await boss.delete(`/users/${ids[0]}`)
        if (at.includes(' /auth/second-factor') && !isNobody) await forgetFactor(world, account.id)
        if (at === 'DELETE /auth/second-factor' && !isNobody) await addFactor(own, password)
        if (at === 'DELETE /users/:id/second-factor') await givenFactor(world, ids[0] as number)
        if (at.includes(' /auth/oidc/') || /^(GET|DELETE) .tenant.identity-provider/.test(at)) await nameProvider(boss)
        const begun = at.startsWith('GET /auth/oidc/callback') ? await givenState(world.app, tenantCode) : undefined
        const query =
          begun?.query ??
          (at === 'GET /auth/oidc/start' ? startQuery(tenantCode) : undefined) ??
          (route.path.endsWith('/unarchive') ? 'version=1' : sampleOf(route).query)
        const body = (await bodies[at]?.()) ?? (await withIds(route, idOfKind))
        const isUpload = at === 'POST /files'
        const { payload, headers } = isUpload
          ? formOf([{ filename: 'note.txt', content: 'hello' }])
          : sentAs(route, typeof body === 'string' ? body : body && { ...added.body, ...body })
        const who = at === 'POST /auth/logout' && name !== 'anonymous' ? await signIn(account) : account
        const request: InjectOptions = {
          method: route.method,
          url: `/api/v1${addressOf(route, ids, query, await idsOfQuery(route, idOfKind))}`,
          headers: {
            ...tokenOf(who),
            ...key(),
            ...headers,
            ...begun?.headers,
            ...(at === 'POST /payments/callback/:provider' && signedAsDemo(String(payload))),
            ...added.headers,
          },
          ...(payload && { payload }),
        }
        const answer = await reaching(() => anyone.send(request))
        if (at === 'POST /auth/second-factor/confirm' && !isNobody) await forgetFactor(world, account.id)
        return answer
      },
    }
  }
}

/** The headers of a callback of the development provider. */
function signedAsDemo(body: string): Record<string, string> {
  const message = { id: 'msg_walk', timestamp: String(Math.floor(Date.now() / 1000)), body: Buffer.from(body) }
  return {
    'webhook-id': message.id,
    'webhook-timestamp': message.timestamp,
    'webhook-signature': signWebhook([testConfig().paymentsDemoSecret!], message),
  }
}
