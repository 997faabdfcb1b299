import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Scope } from '../../data/tx/scope.ts'
import type { TenantId } from '../../kernel/actor.ts'
import { fail, faults } from '../../kernel/fault.ts'

type Names = ReadonlyMap<number, string>

declare module 'fastify' {
  interface FastifyRequest {
    /** The names of people of the request's tenant, by their ids; blank for those who have left. */
    namesOf(ids: Iterable<number>): Names | Promise<Names>
    /** the read handle of an earlier moment, if the answer is of that moment */
    asOf: Scope | undefined
  }
}

/** Looks up people's names, for answers that name them beside their ids. */
export const peopleById = fp<{
  namesOf(tenantId: TenantId, ids: Iterable<number>, asOf?: Scope): Names | Promise<Names>
}>(
  async (app, { namesOf }) => {
    app.decorateRequest('asOf', undefined)
    app.decorateRequest('namesOf', function (this: FastifyRequest, ids) {
      return namesOf((this.tenant ?? fail(faults.unauthenticated())).id, ids, this.asOf)
    })
  },
  { name: 'people-by-id', dependencies: ['tenancy'] },
)
