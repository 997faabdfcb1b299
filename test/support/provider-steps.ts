import type { FastifyInstance } from 'fastify'
import { openBrowser, SERVICE } from './browser.ts'
import type { Client } from './client.ts'
import { lendProvider } from './provider.ts'

/** A page of a front end, to which sign-ins come back. */
export const PAGE = 'http://localhost:5173/welcome'

/** Names the shared provider as that of an administrator's tenant. */
export async function nameProvider(administrator: Client, more: object = {}): Promise<void> {
  const { client } = await lendProvider()
  ;(await administrator.put('/tenant/identity-provider', { ...client, createUsers: true, ...more })).expect(200)
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

/** A sign-in up to its code. */
export async function givenCode(app: FastifyInstance, tenantCode: string): Promise<string> {
  return codeIn(await openBrowser(app).follow(startAddress(tenantCode)))
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
