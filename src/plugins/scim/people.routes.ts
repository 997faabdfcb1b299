import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { assertShallow, type FastifyRequest, Fault, fail, networkOf, type z } from '#atrium'
import { findCredentials, hashPassword, peopleFaults, typed } from '#atrium/people'
import { deleteUser } from '#atrium/users'
import { createPerson, deactivatePerson, passwordIn, patchPerson, replacePerson } from './people.actions.ts'
import { personView } from './people.rules.ts'
import { conditionsOf } from './protocol/filters.rules.ts'
import { USER_ATTRIBUTES } from './protocol/resources.rules.ts'
import { listBody, project, type ScimOptions, windowOf } from './scim.rules.ts'
import {
  Body,
  CREATED,
  DELETED,
  idOf,
  ListQuery,
  NOBODY,
  OneParams,
  OneQuery,
  PatchBody,
  read,
  UserResource,
} from './scim.schemas.ts'
import { countPeople, findPerson, listPeople, type PersonFilter } from './scim.store.ts'

const COMPARED = { userName: 'string', externalId: 'string', active: 'boolean', id: 'string' } as const

/** /Users: the people of the tenant. */
export const personRoutes: FastifyPluginAsyncZod<ScimOptions> = async (app, { base, files, send }) => {
  app.get('/Users', { config: { access: 'user:list' }, schema: { querystring: ListQuery } }, async (req, reply) => {
    const window = windowOf(req.query)
    assertShallow({ page: window.startIndex, limit: 1 })
    const filter = await filterOf(req)
    if (!filter) return send(reply, listBody([], 0, window))
    const [counted, found] = await Promise.all([
      countPeople(req.scope, filter),
      listPeople(req.scope, { ...filter, limit: window.count, offset: window.startIndex - 1 }),
    ])
    const resources = found.map((person) => project(personView(person, base), req.query))
    return send(reply, listBody(resources, counted!.total, window))
  })

  app.get(
    '/Users/:id',
    { config: { access: 'user:list' }, schema: { params: OneParams, querystring: OneQuery } },
    async (req, reply) => {
      const person = (await findPerson(req.scope, { id: req.params.id })) ?? fail(peopleFaults.notFound())
      return send(reply, project(personView(person, base), req.query))
    },
  )

  app.post(
    '/Users',
    { config: { access: 'user:create' }, schema: { body: Body, querystring: OneQuery, response: CREATED } },
    async (req, reply) => {
      const resource = read(UserResource, req.body, USER_ATTRIBUTES)
      const passwordHash = await hashOf(req, resource)
      const view = personView(await req.transact((tx) => createPerson(tx, resource, passwordHash)), base)
      reply.code(201).header('location', view.meta.location)
      return send(reply, project(view, req.query))
    },
  )

  app.put(
    '/Users/:id',
    { config: { access: 'user:update' }, schema: { params: OneParams, body: Body, querystring: OneQuery } },
    async (req, reply) => {
      const resource = read(UserResource, req.body, USER_ATTRIBUTES)
      const passwordHash = await hashOf(req, resource)
      const person = await req.transact((tx) => replacePerson(tx, req.params.id, resource, passwordHash))
      return send(reply, project(personView(person, base), req.query))
    },
  )

  app.patch(
    '/Users/:id',
    { config: { access: 'user:update' }, schema: { params: OneParams, body: PatchBody, querystring: OneQuery } },
    async (req, reply) => {
      const { Operations } = req.body
      const passwordHash = await hashOf(req, passwordIn(Operations))
      const person = await req.transact((tx) => patchPerson(tx, req.params.id, Operations, passwordHash))
      return send(reply, project(personView(person, base), req.query))
    },
  )

  app.delete(
    '/Users/:id',
    { config: { access: 'user:delete' }, schema: { params: OneParams, response: DELETED } },
    async (req, reply) => {
      const { id } = req.params
      try {
        await req.transact((tx) => deleteUser(tx, id, files))
      } catch (error) {
        // Somebody still has to take over their work: until then the person is only kept out.
        if (!(error instanceof Fault && error.type === peopleFaults.inUse().type)) throw error
        await req.transact((tx) => deactivatePerson(tx, id))
      }
      return reply.code(204).send()
    },
  )
}

/** @returns undefined if nobody can match */
async function filterOf(
  req: FastifyRequest<{ Querystring: z.output<typeof ListQuery> }>,
): Promise<PersonFilter | undefined> {
  const conditions = conditionsOf(req.query.filter, COMPARED)
  if (!conditions) return undefined
  const { userName, externalId, active, id } = conditions as Record<string, never>
  const ids = new Set<number>()
  if (userName !== undefined) ids.add((await findCredentials(req.scope, typed(userName)))?.id ?? NOBODY)
  if (id !== undefined) ids.add(idOf(id))
  if (ids.size > 1 || ids.has(NOBODY)) return undefined
  return {
    ...(ids.size && { id: [...ids][0]! }),
    ...(externalId !== undefined && { externalId }),
    ...(active !== undefined && { status: active ? 'active' : 'disabled' }),
  }
}

async function hashOf(req: FastifyRequest, { password }: Pick<UserResource, 'password'>): Promise<string | undefined> {
  return password ? hashPassword(password, networkOf(req.ip)) : undefined
}
