import type { FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { type Access, isDeclaredPermission, type Permission } from '../../kernel/access.ts'
import { type Duty, visitor } from '../../kernel/actor.ts'
import { type Fault, fault, faults } from '../../kernel/fault.ts'
import type {} from './described.ts'
import { successStatus } from './envelope.ts'
import { readsKeys } from './identity.ts'
import { blockOf, PUBLIC } from './tenancy.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Checks access once more, for a request that has waited: its caller may have lost it in the meantime.
     * @throws what the gate refuses with
     */
    assertStillAllowed(): Promise<void>
  }
  interface FastifyContextConfig {
    /** what the route demands: a permission, `signed-in` or `anyone` */
    access?: Access
    /** open to the administrators of an expired tenant: it is part of renewing it */
    renews?: true
    /** open whatever the state of the tenant: it only takes something away from the caller */
    leaves?: true
    /** open to people who have this to do before anything else */
    despite?: Duty
    /** the keys that it refuses whatever they permit: all, if it is about their account, or the narrowed ones */
    closedToKeys?: 'all' | 'narrowed'
  }
}

export const dutyFaults = {
  passwordChangeRequired: fault('PASSWORD_CHANGE_REQUIRED', 403, 'Change your password first'),
  secondFactorMissing: fault('SECOND_FACTOR_MISSING', 403, 'Add a second factor to your account first'),
}
const refusalFor: Record<Duty, () => Fault> = {
  'change-password': dutyFaults.passwordChangeRequired,
  'add-second-factor': dutyFaults.secondFactorMissing,
}

/**
 * Checks access before the body is read: token, then tenant, then duties, then permission, then role. A route without an access, a
 * name, a summary or its one 2xx stops the boot.
 */
export const gate = fp(
  async (app) => {
    app.addHook('onRoute', (route) => assertDeclared(route))
    app.addHook('onRequest', (req, _reply, done) => done(refusal(req)))
    app.decorateRequest('assertStillAllowed', async function (this: FastifyRequest) {
      const tenantId = this.tenant!.id
      this.actor = (this.callerHasLeft ? undefined : await this.callerNow()) ?? visitor
      this.tenant = await app.tenancies.find(tenantId)
      const fault = refusal(this)
      if (fault) throw fault
    })
  },
  { name: 'gate', dependencies: ['tenancy'] },
)

function refusal(req: FastifyRequest): Fault | undefined {
  const { url, config } = req.route
  const { access } = config
  if (access === undefined) return undefined
  if (access === 'anyone') return url?.startsWith(PUBLIC) && !mayRenew(req) ? blockFor(req) : undefined
  if (req.actor.kind !== 'user') return faults.unauthenticated()
  const block = config.leaves || mayRenew(req) ? undefined : blockFor(req)
  if (block) return block
  const { duty } = req.actor
  if (duty && duty !== config.despite && !config.leaves) return refusalFor[duty]()
  if (access === 'signed-in') return isClosedToKey(req) ? faults.permissionDenied() : undefined
  const system = access.startsWith('system:')
  const permission = (system ? access.slice('system:'.length) : access) as Permission
  if (!req.actor.permissions.has(permission)) return faults.permissionDenied()
  if (system && !req.actor.isSystemAdministrator) return faults.roleRequired()
  return undefined
}

function isClosedToKey({ actor, route }: FastifyRequest): boolean {
  const key = actor.kind === 'user' ? actor.key : undefined
  const closedTo = key && keysRefusedBy(route)
  return closedTo === 'all' || (closedTo === 'narrowed' && key?.permissions !== null)
}

/**
 * The keys that a route refuses whatever they permit. What a narrowed key may do is its permissions, so it changes nothing
 * by a route that demands none. Below /auth no key is read.
 */
export function keysRefusedBy({ method, url, config }: Pick<RouteOptions, 'method' | 'config'> & { url?: string }) {
  if (config?.access !== 'signed-in' || !readsKeys(url)) return undefined
  return config.closedToKeys ?? (method === 'GET' || method === 'HEAD' ? undefined : 'narrowed')
}

/**
 * Why the tenant is closed to the request. The system administrator, from outside, can enter a blocked one to repair
 * it.
 */
export function blockFor({ actor, tenant }: Pick<FastifyRequest, 'actor' | 'tenant'>): Fault | undefined {
  if (!tenant) return faults.unauthenticated()
  if (actor.kind === 'user' && actor.isSystemAdministrator && tenant.id !== actor.tenantId) return undefined
  return blockOf(tenant)
}

/** Whether the request is part of renewing a tenant: then it is closed to its administrators only if it is disabled. */
function mayRenew({ actor, tenant, route }: FastifyRequest): boolean {
  const isTheirs = actor.kind === 'user' && actor.isAdministrator && actor.tenantId === tenant?.id
  return route.config.renews === true && isTheirs && tenant.status === 'active'
}

function assertDeclared(route: RouteOptions) {
  if (!route.url.startsWith('/api/') || route.method === 'HEAD' || route.method === 'OPTIONS') return
  const where = `${String(route.method)} ${route.url}`
  const access = route.config?.access
  if (!access) throw new Error(`${where} does not declare its access: name a permission in config.access`)
  if (!isKnown(access))
    throw new Error(`${where} demands ${access}, which no domain has among its permissions: declare it in *.domain.ts`)
  if (!route.schema?.operationId) throw new Error(`${where} has no operationId: name it in its schema`)
  if (!route.schema.summary) throw new Error(`${where} has no summary: say in its schema what it does`)
  if (!successStatus(route))
    throw new Error(`${where} does not declare exactly one 2xx: declare schema.response: { 200: … }`)
}

function isKnown(access: string): boolean {
  return access === 'anyone' || access === 'signed-in' || isDeclaredPermission(access.replace(/^system:/, ''))
}
