import type { FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { Gatekeeper } from '../../data/coordination/coordination.ts'
import type { Claim } from '../../data/tx/idempotency.ts'
import type { Tx } from '../../data/tx/scope.ts'
import { transact } from '../../data/tx/transact.ts'
import type { Actor, TenantId, User } from '../../kernel/actor.ts'
import { faults } from '../../kernel/fault.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Runs an action as the signed-in user in the request's tenant; its audit row commits with it. */
    transact<T>(action: (tx: Tx<User>) => Promise<T>): Promise<T>
    /** The same for an actor and a tenant that the route has determined itself: sign-in and registration. */
    transactAs<Who extends Actor, T>(
      who: Who,
      tenantId: TenantId,
      action: (tx: Tx<Who>) => Promise<T>,
      subject?: AuditSubject,
    ): Promise<T>
    /** true once this request's audit row has been written */
    audited: boolean
    /** whom the audit names instead of the caller, whose token may be that of somebody else */
    auditSubject: AuditSubject | undefined
  }
  interface FastifyContextConfig {
    /**
     * Every POST takes an Idempotency-Key, which its transaction claims: for its person, or for the tenant's visitors.
     * `true`: it requires one. `false`: it takes none, for a reason that a comment gives.
     */
    idempotent?: boolean
  }
}

/** Whom the audit row of a request names, and in which tenant. */
export interface AuditSubject {
  tenantId: TenantId
  userId: number | null
  username: string | null
  /** how the request ends, if what it saved is not the success of the route */
  status?: number
}

const KEY = /^[\x21-\x7e]{1,128}$/

/** Lends transactions to commands. A GET cannot open one. */
export const commands = fp<{
  /** Writes the audit row of a request into its transaction. */
  recordOperation(tx: Tx<any>, req: FastifyRequest, status: number): void
  gatekeeper: Gatekeeper | undefined
}>(
  async (app, { recordOperation, gatekeeper }) => {
    app.decorateRequest('audited', false)
    app.decorateRequest('auditSubject', undefined)
    app.decorateRequest('transact', function <T>(this: FastifyRequest, action: (tx: Tx<User>) => Promise<T>) {
      return this.transactAs(this.user, this.tenant!.id, action)
    })
    app.decorateRequest('transactAs', async function <Who extends Actor, T>(
      this: FastifyRequest,
      who: Who,
      tenantId: TenantId,
      action: (tx: Tx<Who>) => Promise<T>,
      subject?: AuditSubject,
    ) {
      if (this.method === 'GET' || this.method === 'HEAD')
        throw new Error(`${this.method} ${this.route.url} wants to write`)
      this.auditSubject = subject
      const result = await transact(
        app.database,
        {
          tenantId,
          actor: who,
          requestId: this.id,
          claim: claimOf(this, who),
          beforeCommit: (tx) => recordOperation(tx, this, subject?.status ?? successOf(this)),
        },
        action,
      )
      this.audited = true
      return result
    } as never)

    /** Visitors share their keys, so theirs count for one kind of command only. */
    function claimOf({ route, headers }: FastifyRequest, who: Actor): Claim | undefined {
      const key = headers['idempotency-key']
      if (!takesKey(route) || typeof key !== 'string') return undefined
      return { key: who.kind === 'user' ? key : `${route.url} ${key}`, gatekeeper }
    }

    app.addHook('onRoute', (route) => {
      if (!takesKey(route)) return
      const isRequired = route.config?.idempotent === true
      route.preHandler = [route.preHandler ?? []].flat().concat((req, _reply, done) => {
        const key = req.headers['idempotency-key']
        const isFit = key === undefined ? !isRequired : typeof key === 'string' && KEY.test(key)
        done(isFit ? undefined : faults.keyRequired())
      })
    })
  },
  { name: 'commands', dependencies: ['gate'] },
)

/** Whether a command can be sent again under its key without being done twice. */
export function takesKey({ method, config }: Pick<RouteOptions, 'method' | 'config'>): boolean {
  return config?.idempotent ?? method === 'POST'
}

function successOf(req: FastifyRequest): number {
  const statuses = Object.keys((req.route.schema?.response as object | undefined) ?? {})
  return Number(statuses.find((status) => status.startsWith('2')) ?? 200)
}
