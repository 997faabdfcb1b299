import { containing, type DomainRoutes, IdParams, networkOf, numberedPageRequest, quotaFaults, z } from '#atrium'
import { authFaults, limitGuesses } from '#atrium/auth'
import { hashPassword, peopleFaults, UserView } from '#atrium/people'
import { roleFaults } from '#atrium/roles'
import { assertMayChoose } from '#atrium/tenants'
import { handOverRoutes } from './hand-over/hand-over.routes.ts'
import { profileRoutes } from './profile.routes.ts'
import { addUser, deleteUser, endSessionsOf, restoreUser, updateUser } from './users.actions.ts'
import { userFaults, userState } from './users.rules.ts'
import { RestorationDraft, UserDraft, UserPage, UserPatch, UserQuery } from './users.schemas.ts'
import { getUser, listUsers } from './users.store.ts'

/** The users of a tenant, for their managers. */
export const userRoutes: DomainRoutes = async (app, { config }) => {
  const guesses = limitGuesses(app, config.signInLimit)
  await app.register(profileRoutes, { config })
  await app.register(handOverRoutes, { config })

  app.get(
    '/users',
    {
      config: { access: 'user:list', list: 'users' },
      schema: {
        operationId: 'listUsers',
        summary: 'List users',
        description: 'Newest first. `keyword` searches user name, nickname, e-mail and real name.',
        querystring: UserQuery,
        response: { 200: UserPage },
      },
    },
    async (req, reply) => {
      const { keyword, status, roleId } = req.query
      const filter = { status, roleId, pattern: keyword && containing(keyword) }
      return reply.page(await listUsers(req.scope, filter, numberedPageRequest(req.query)))
    },
  )

  app.get(
    '/users/:id',
    {
      config: { access: 'user:list' },
      schema: {
        operationId: 'getUser',
        summary: 'Read a user',
        params: IdParams,
        sends: ['ETag'],
        response: { 200: UserView },
      },
    },
    async (req, reply) => reply.fingerprinted(await getUser(req.scope, { id: req.params.id }), userState),
  )

  app.post(
    '/users',
    {
      config: { access: 'user:create' },
      schema: {
        operationId: 'createUser',
        summary: 'Create a user',
        description:
          'Without `roleIds`, the user gets the role `user`. Nobody can grant a role with permissions that they do not hold.',
        body: UserDraft,
        response: { 201: UserView },
        sends: ['Location'],
        refuses: [roleFaults.notFound, peopleFaults.usernameTaken, peopleFaults.nicknameTaken, quotaFaults.exceeded],
      },
    },
    async (req, reply) => {
      const { password, ...draft } = req.body
      const passwordHash = await hashPassword(password, networkOf(req.ip))
      const user = await req.transact((tx) => addUser(tx, draft, passwordHash))
      return reply.created(`/users/${user.id}`, reply.fingerprinted(user, userState))
    },
  )

  app.put(
    '/users/:id',
    {
      config: { access: 'user:update', versionIn: 'nowhere' },
      schema: {
        operationId: 'updateUser',
        summary: 'Update a user',
        description:
          "`roleIds` replaces the user's roles. `password` and `status: disabled` end the user's sessions. Only callers who hold every permission of the user may change password, e-mail, roles or status. To change your own password or e-mail, send `currentPassword` too.",
        params: IdParams,
        body: UserPatch,
        response: { 200: UserView },
        sends: ['RateLimit', 'RateLimit-Policy'],
        refuses: [
          userFaults.reserved,
          userFaults.lastAdministrator,
          userFaults.changed,
          peopleFaults.nicknameTaken,
          quotaFaults.exceeded,
          authFaults.wrongPassword,
        ],
      },
    },
    async (req, reply) => {
      const { password, currentPassword, version, ...patch } = req.body
      const isOwn = req.params.id === req.user.id && req.tenant!.id === req.user.tenantId
      if (isOwn && (password !== undefined || patch.email !== undefined)) {
        const subject = await getUser(req.scope, { id: req.params.id })
        if (password !== undefined)
          await assertMayChoose(req.scope, password, subject, 'body.password', [req.tenant!.code])
        // An address that a form sends back does not undo a change that commits meanwhile.
        if (patch.email === subject.email) patch.email = undefined
        // A link for a new password goes to this address.
        if (password !== undefined || patch.email !== undefined)
          await guesses.proveOwn(req, reply, currentPassword ?? '')
      }
      const passwordHash = password === undefined ? undefined : await hashPassword(password, networkOf(req.ip))
      const user = await req.transact((tx) =>
        updateUser(tx, req.params.id, patch, passwordHash, { version, ifMatch: req.ifMatch }),
      )
      return reply.fingerprinted(user, userState)
    },
  )

  app.delete(
    '/users/:id',
    {
      config: { access: 'user:delete', versionIn: 'nowhere' },
      schema: {
        operationId: 'deleteUser',
        summary: 'Delete a user',
        description:
          'Only if the user owns no projects, leads no departments and has no open tasks or requests; the refusal names them. Afterwards only the audit names the person: everything else shows "former member" in the language of the reader. The user name is free.',
        params: IdParams,
        response: { 200: z.null() },
        refuses: [userFaults.reserved, userFaults.lastAdministrator, peopleFaults.inUse],
      },
    },
    (req) => req.transact((tx) => deleteUser(tx, req.params.id, config.files, req)),
  )

  app.delete(
    '/users/:id/sessions',
    {
      config: { access: 'user:update' },
      schema: {
        operationId: 'endSessionsOfUser',
        summary: "End a user's sessions",
        description:
          'Their tokens are refused within a second; they can sign in again. Only callers who hold every permission of the user may do so. Of your own sessions, the current one stays.',
        params: IdParams,
        response: { 200: z.null() },
        refuses: [userFaults.reserved],
      },
    },
    (req) => req.transact((tx) => endSessionsOf(tx, req.params.id)),
  )

  app.post(
    '/users/:id/restore',
    {
      config: { access: 'user:create' },
      schema: {
        operationId: 'restoreUser',
        summary: 'Bring a deleted user back',
        description:
          'The user has the same id and the role `user`; what they did shows their name again. Projects, departments and other roles do not come back. Anyone who is not deleted is a 404.',
        params: IdParams,
        body: RestorationDraft,
        response: { 201: UserView },
        sends: ['Location'],
        refuses: [peopleFaults.usernameTaken, peopleFaults.nicknameTaken, quotaFaults.exceeded],
      },
    },
    async (req, reply) => {
      const { password, ...draft } = req.body
      const passwordHash = await hashPassword(password, networkOf(req.ip))
      const user = await req.transact((tx) => restoreUser(tx, req.params.id, draft, passwordHash))
      return reply.created(`/users/${user.id}`, reply.fingerprinted(user, userState))
    },
  )
}
