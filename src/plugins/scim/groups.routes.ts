import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { assertShallow, type FastifyRequest, fail } from '#atrium'
import { createGroup, deleteGroup, patchGroup, replaceGroup } from './groups.actions.ts'
import { type Group, groupView } from './groups.rules.ts'
import { conditionsOf } from './protocol/filters.rules.ts'
import { GROUP_ATTRIBUTES } from './protocol/resources.rules.ts'
import { isWanted, listBody, project, type ScimOptions, scimFaults, windowOf } from './scim.rules.ts'
import {
  Body,
  CREATED,
  DELETED,
  GroupResource,
  idOf,
  ListQuery,
  MOST_MEMBERS,
  NOBODY,
  OneParams,
  OneQuery,
  PatchBody,
  read,
  type Wanted,
} from './scim.schemas.ts'
import { countGroups, findGroup, type GroupFilter, listGroups, listMembers } from './scim.store.ts'

const COMPARED = {
  displayName: 'string',
  externalId: 'string',
  id: 'string',
  members: 'string',
  'members.value': 'string',
} as const

/** /Groups: the roles of the tenant, with the people who hold them. */
export const groupRoutes: FastifyPluginAsyncZod<ScimOptions> = async (app, { base, send }) => {
  app.get('/Groups', { config: { access: 'role:list' }, schema: { querystring: ListQuery } }, async (req, reply) => {
    const window = windowOf(req.query)
    assertShallow({ page: window.startIndex, limit: 1 })
    const filter = filterOf(req.query.filter)
    if (!filter) return send(reply, listBody([], 0, window))
    const [counted, found] = await Promise.all([
      countGroups(req.scope, filter),
      listGroups(req.scope, { ...filter, limit: window.count, offset: window.startIndex - 1 }),
    ])
    return send(reply, listBody(await viewsOf(req, found, req.query), counted!.total, window))
  })

  app.get(
    '/Groups/:id',
    { config: { access: 'role:list' }, schema: { params: OneParams, querystring: OneQuery } },
    async (req, reply) => {
      const group = (await findGroup(req.scope, { id: req.params.id })) ?? fail(scimFaults.groupNotFound())
      return send(reply, (await viewsOf(req, [group], req.query))[0]!)
    },
  )

  app.post(
    '/Groups',
    { config: { access: 'role:create' }, schema: { body: Body, querystring: OneQuery, response: CREATED } },
    async (req, reply) => {
      const resource = read(GroupResource, req.body, GROUP_ATTRIBUTES)
      const group = await req.transact((tx) => createGroup(tx, resource))
      reply.code(201).header('location', `${base}/Groups/${group.id}`)
      return send(reply, (await viewsOf(req, [group], req.query))[0]!)
    },
  )

  app.put(
    '/Groups/:id',
    { config: { access: 'role:update' }, schema: { params: OneParams, body: Body, querystring: OneQuery } },
    async (req, reply) => {
      const resource = read(GroupResource, req.body, GROUP_ATTRIBUTES)
      const group = await req.transact((tx) => replaceGroup(tx, req.params.id, resource))
      return send(reply, (await viewsOf(req, [group], req.query))[0]!)
    },
  )

  app.patch(
    '/Groups/:id',
    { config: { access: 'role:update' }, schema: { params: OneParams, body: PatchBody, querystring: OneQuery } },
    async (req, reply) => {
      const group = await req.transact((tx) => patchGroup(tx, req.params.id, req.body.Operations))
      return send(reply, (await viewsOf(req, [group], req.query))[0]!)
    },
  )

  app.delete(
    '/Groups/:id',
    { config: { access: 'role:delete' }, schema: { params: OneParams, response: DELETED } },
    async (req, reply) => {
      await req.transact((tx) => deleteGroup(tx, req.params.id))
      return reply.code(204).send()
    },
  )

  /** With their members, unless nobody wants these. */
  async function viewsOf(req: FastifyRequest, groups: readonly Group[], wanted: Wanted) {
    const withMembers = groups.length > 0 && isWanted('members', wanted)
    const members = withMembers ? await listMembers(req.scope, { roleIds: groups.map(({ id }) => id) }) : undefined
    if (members && members.length > MOST_MEMBERS) throw scimFaults.tooMany()
    return groups.map((group) => project(groupView(group, members, base), wanted))
  }
}

/** @returns undefined if no group can match */
function filterOf(text: string | undefined): GroupFilter | undefined {
  const conditions = conditionsOf(text, COMPARED)
  if (!conditions) return undefined
  const { displayName, externalId, id, members, 'members.value': value = members } = conditions as Record<string, never>
  const ids = { ...(id !== undefined && { id: idOf(id) }), ...(value !== undefined && { memberId: idOf(value) }) }
  if (Object.values(ids).includes(NOBODY)) return undefined
  return {
    ...(displayName !== undefined && { name: displayName }),
    ...(externalId !== undefined && { externalId }),
    ...ids,
  }
}
