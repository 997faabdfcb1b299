import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Changes } from '../../data/changes/changes.ts'
import { remembered } from '../../data/changes/remembered.ts'
import type { Replica } from '../../data/setup/replica.ts'
import { openScope } from '../../data/tx/open-scope.ts'
import type { Scope } from '../../data/tx/scope.ts'
import type { Database } from '../../data/wire/database.ts'
import type { TenantId } from '../../kernel/actor.ts'
import { type Fault, fail, fault, faults } from '../../kernel/fault.ts'
import { networkOf } from '../../util/network.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** the tenant that this request works in; undefined if no tenant is involved */
    tenant: Tenancy | undefined
    /** the read handle of that tenant */
    readonly scope: Scope
  }
  interface FastifyInstance {
    database: Database
    tenancies: Tenancies
  }
}

export interface Tenancy {
  id: TenantId
  code: string
  name: string
  status: 'active' | 'disabled' | 'closing'
  expiredAt: string | null
  plan: string
  /** rises with every change of what the public reads */
  contentVersion: number
}

export interface Tenancies {
  /** The tenant of a code, if it may be entered: 404 if unknown, 403 if disabled or expired. */
  enter(code: string, terms?: Terms): Promise<Entered>
  /** The same by id; an unknown one throws the given fault. */
  enterById(id: TenantId, unknown: () => Fault, terms?: Terms): Promise<Entered>
  /** The tenant of an id, if it may be entered. */
  findOpen(id: TenantId): Promise<Tenancy | undefined>
  /** The same by the code of a header, without a promise, if it is cached and may be entered. */
  atHand(code: string | string[] | undefined): Tenancy | undefined
  /** The request's X-Tenant-Code; blank if there is none. */
  codeIn(req: FastifyRequest): string
  /** The tenant as it is now, whether it may be entered or not. */
  find(id: TenantId): Promise<Tenancy | undefined>
}

/** The terms for entering a tenant. */
interface Terms {
  /** gets the tenant before it is refused */
  found?: (tenant: Tenancy) => void
  /** An expired one may be entered too; the caller checks who may. */
  expired?: true | undefined
}

interface Entered extends Tenancy {
  /** the refusal for those who may not enter a tenant that has expired */
  expiry?: Fault | undefined
}

export interface LoadTenants {
  byId(id: TenantId): Promise<Tenancy | undefined>
  byCode(code: string): Promise<Tenancy | undefined>
}

export const tenancyFaults = {
  notFound: fault('TENANT_NOT_FOUND', 404, 'There is no such tenant'),
  disabled: fault('TENANT_DISABLED', 403, 'This tenant is disabled'),
  expired: fault('TENANT_EXPIRED', 403, 'The subscription of this tenant has expired'),
}

const MOST_REMEMBERED = 10_000
const DEFAULT = 'default'
/** The form of a tenant's code. Nothing else is looked up, or cached. */
const CODE = /^[a-z][a-z0-9-]{1,62}[a-z0-9]$/
/** Anyone may read routes below this, in the tenant that the request names, however the address is written. */
export const PUBLIC = '/api/v1/public/'

/**
 * Determines where a request works. A signed-in request works in the tenant of its token and nowhere else; only the
 * system administrator may name another in X-Tenant-Code. A public request names its own there, else `default`.
 */
export const tenancy = fp<{
  database: Database
  replica?: Replica | undefined
  changes: Changes
  load: LoadTenants
}>(
  async (app, { database, replica, changes, load }) => {
    const isStale = ({ id }: Tenancy, since: number) => changes.isChanged('tenant', id, since)
    const byId = remembered(changes, { most: MOST_REMEMBERED, load: (id: TenantId) => load.byId(id), isStale })
    const byCode = remembered(changes, { most: MOST_REMEMBERED, load: (code: string) => load.byCode(code), isStale })

    async function named(code: string): Promise<Tenancy> {
      if (!CODE.test(code)) throw tenancyFaults.notFound()
      await changes.catchUp()
      return (await byCode.get(code, undefined)) ?? fail(tenancyFaults.notFound())
    }

    app.decorate('database', database)
    app.decorate('tenancies', {
      async enter(code, terms) {
        return admit(await named(code.trim().toLowerCase() || DEFAULT), terms)
      },
      async enterById(id, unknown, terms) {
        await changes.catchUp()
        return admit((await byId.get(id, undefined)) ?? fail(unknown()), terms)
      },
      async findOpen(id) {
        await changes.catchUp()
        const tenant = await byId.get(id, undefined)
        return tenant && !blockOf(tenant) ? tenant : undefined
      },
      atHand(header) {
        const code = codeOf(header) || DEFAULT
        if (!CODE.test(code)) return undefined
        const behind = changes.catchUp()
        // The next caller waits for it, and gets its error.
        if (behind) return void behind.catch(() => {})
        const known = byCode.get(code, undefined)
        return known && !(known instanceof Promise) && !blockOf(known) ? known : undefined
      },
      codeIn: ({ headers }) => codeOf(headers['x-tenant-code']),
      find: load.byId,
    })

    app.decorateRequest('tenant', undefined)
    app.decorateRequest('scope', {
      getter(this: FastifyRequest & { [opened]?: Scope }) {
        const tenant = this.tenant ?? fail(faults.unauthenticated())
        const isPublic = this.route.config.keeps !== undefined
        this[opened] ??=
          isPublic && replica
            ? replica.scope(database, tenant, senderOf(this))
            : openScope(database, tenant.id, senderOf(this))
        return this[opened]
      },
    } as never)

    app.addHook('onRequest', (req, _reply, done) => {
      const tenant = tenantOf(req)
      if (!(tenant instanceof Promise)) {
        req.tenant = tenant
        return done()
      }
      tenant.then((found) => {
        req.tenant = found
        done()
      }, done)
    })

    function tenantOf(req: FastifyRequest): Tenancy | undefined | Promise<Tenancy | undefined> {
      const code = codeOf(req.headers['x-tenant-code'])
      if (req.actor.kind === 'user') {
        if (code && req.actor.isSystemAdministrator) return named(code)
        return byId.get(req.actor.tenantId, undefined)
      }
      if (!req.route.url?.startsWith(PUBLIC)) return undefined
      return app.tenancies.atHand(code) ?? app.tenancies.enter(code)
    }
  },
  { name: 'tenancy', dependencies: ['identity'] },
)

const opened = Symbol('scope')

/** Who sends a request: a person, from any address; of everyone else only the network is known. */
export function senderOf({ actor, ip }: FastifyRequest): string {
  return actor.kind === 'user' ? `${actor.tenantId}/${actor.id}` : networkOf(ip)
}

/** Whether a person works in a tenant that is not theirs, as the system administrator may. */
export function isElsewhere({ actor, tenant }: Pick<FastifyRequest, 'actor' | 'tenant'>): boolean {
  return actor?.kind === 'user' && tenant !== undefined && tenant.id !== actor.tenantId
}

function codeOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header.trim().toLowerCase() : ''
}

function admit(tenant: Tenancy, { found, expired }: Terms = {}): Entered {
  found?.(tenant)
  const block = blockOf(tenant)
  if (!block) return tenant
  if (expired && tenant.status === 'active') return { ...tenant, expiry: block }
  throw block
}

/** Why a tenant may not be entered now. Expiry is derived from the clock; it is not a status. */
export function blockOf(tenant: Pick<Tenancy, 'status' | 'expiredAt'>): Fault | undefined {
  if (tenant.status !== 'active') return tenancyFaults.disabled()
  if (tenant.expiredAt && Date.parse(tenant.expiredAt) <= Date.now()) return tenancyFaults.expired()
  return undefined
}
