import type { FastifyInstance } from 'fastify'
import { openBrowser, SERVICE } from './browser.ts'
import type { Answer, Client } from './client.ts'
import { obeying } from './obedient.ts'
import { until } from './patience.ts'
import { lendProvider } from './provider.ts'

/** A page of a front end, to which sign-ins come back. */
export const PAGE = 'http://localhost:5173/welcome'

/** Sends it again while the provider, which is in this process, takes longer than the 5 s that the service gives it. */
export const reaching = (send: () => Promise<Answer>): Promise<Answer> =>
  until(async () => {
    const answer = await send()
    return answer.error?.type !== 'PROVIDER_UNREACHABLE' && answer
  })

/** Names a provider as that of an administrator's tenant. @returns it as it was saved */
export async function saveProvider(administrator: Client, draft: object): Promise<any> {
  return (await reaching(() => obeying(() => administrator.put('/tenant/identity-provider', draft)))).expect(200)
}

/** The shared one. */
export async function nameProvider(administrator: Client, more: object = {}): Promise<void> {
  await saveProvider(administrator, { ...(await lendProvider()).client, createUsers: true, ...more })
}

export function startQuery(tenantCode: string, page = PAGE): string {
  return `tenantCode=${tenantCode}&returnTo=${encodeURIComponent(page)}`
}

export function startAddress(tenantCode: string, page?: string): string {
  return `${SERVICE}/api/v1/auth/oidc/start?${startQuery(tenantCode, page)}`
}

/** The code with which a page has come back; an Error names the address otherwise. */
export function codeIn(address: string): string {
  const [, code] = /#code=(.*)$/.exec(address) ?? []
  if (!code) throw new Error(`no code in ${address}`)
  return decodeURIComponent(code)
}

/** Signs in, again while the provider takes too long. @returns the address at which the page comes back */
export function arriveAt(app: FastifyInstance, start: string): Promise<string> {
  return until(async () => {
    const address = await openBrowser(app).follow(start)
    return !address.endsWith('#error=PROVIDER_UNAVAILABLE') && address
  })
}

/** A sign-in up to its code. */
export async function givenCode(app: FastifyInstance, tenantCode: string): Promise<string> {
  return codeIn(await arriveAt(app, startAddress(tenantCode)))
}

/** Whether the provider leads a browser back to this address. */
export const isBack = (address: string) => address.startsWith(`${SERVICE}/api/v1/auth/oidc/callback`)

/** A sign-in of a browser, up to that address. */
export async function givenReturn(app: FastifyInstance, tenantCode: string) {
  const browser = openBrowser(app)
  return { browser, back: await browser.follow(startAddress(tenantCode), isBack) }
}

/** A sign-in that has begun, as the provider sends it back without having let anybody in. */
export async function givenState(app: FastifyInstance, tenantCode: string) {
  const browser = openBrowser(app)
  const { location } = await browser.visit(startAddress(tenantCode))
  const state = new URL(location!).searchParams.get('state')!
  return {
    query: `state=${encodeURIComponent(state)}&error=access_denied`,
    headers: { cookie: browser.cookieFor(SERVICE) },
  }
}
