import { arrayQuery, type DomainRoutes, IdParams, pageRequestOf, z } from '#atrium'
import { peopleFaults } from '#atrium/people'
import { roleFaults } from '#atrium/roles'
import { createAccount, deleteAccount, issueKey, revokeKey, updateAccount } from './keys.actions.ts'
import { accountState } from './keys.rules.ts'
import {
  CreatedKeyView,
  KeyDraft,
  KeyParams,
  KeyView,
  ServiceAccountDraft,
  ServiceAccountPatch,
  ServiceAccountView,
} from './keys.schemas.ts'
import { getAccount, listAccounts, listKeys } from './keys.store.ts'

/** Service accounts and their keys. */
export const accountRoutes: DomainRoutes = async (app, { config }) => {
  app.get(
    '/service-accounts',
    {
      config: { access: 'key:manage' },
      schema: {
        operationId: 'listServiceAccounts',
        summary: 'List service accounts',
        description: 'Newest first.',
        querystring: arrayQuery({}),
        response: { 200: z.array(ServiceAccountView) },
      },
    },
    async (req, reply) => reply.list(await listAccounts(req.scope, {}, pageRequestOf(req.query))),
  )

  app.get(
    '/service-accounts/:id',
    {
      config: { access: 'key:manage' },
      schema: {
        operationId: 'getServiceAccount',
        summary: 'Read a service account',
        params: IdParams,
        sends: ['ETag'],
        response: { 200: ServiceAccountView },
      },
    },
    async (req, reply) => reply.fingerprinted(await getAccount(req.scope, { id: req.params.id }), accountState),
  )

  app.post(
    '/service-accounts',
    {
      config: { access: 'key:manage' },
      schema: {
        operationId: 'createServiceAccount',
        summary: 'Create a service account',
        description:
          'A user who cannot sign in: another system calls as it, with a key. Only holders of all permissions of its roles can make one. It can be a member of projects, own them and have tasks; it belongs to no department.',
        body: ServiceAccountDraft,
        response: { 201: ServiceAccountView },
        sends: ['Location'],
        refuses: [roleFaults.notFound, peopleFaults.nicknameTaken],
      },
    },
    async (req, reply) => {
      const account = await req.transact((tx) => createAccount(tx, req.body))
      return reply.created(`/service-accounts/${account.id}`, reply.fingerprinted(account, accountState))
    },
  )

  app.put(
    '/service-accounts/:id',
    {
      config: { access: 'key:manage', versionIn: 'nowhere' },
      schema: {
        operationId: 'updateServiceAccount',
        summary: 'Update a service account',
        description:
          'Omitted fields stay. `roleIds` replaces its roles. While it is `disabled`, its keys are refused. Only holders of all its permissions can change it. A change takes effect within a second.',
        params: IdParams,
        body: ServiceAccountPatch,
        response: { 200: ServiceAccountView },
        refuses: [roleFaults.notFound, peopleFaults.nicknameTaken],
      },
    },
    async (req, reply) => {
      const account = await req.transact((tx) => updateAccount(tx, req.params.id, req.body, req))
      return reply.fingerprinted(account, accountState)
    },
  )

  app.delete(
    '/service-accounts/:id',
    {
      config: { access: 'key:manage', versionIn: 'nowhere' },
      schema: {
        operationId: 'deleteServiceAccount',
        summary: 'Delete a service account',
        description: 'Its keys end. It must own no projects and have no open tasks or requests, like a user.',
        params: IdParams,
        response: { 200: z.null() },
        refuses: [peopleFaults.inUse],
      },
    },
    (req) => req.transact((tx) => deleteAccount(tx, req.params.id, config.files, req)),
  )

  app.get(
    '/service-accounts/:id/keys',
    {
      config: { access: 'key:manage' },
      schema: {
        operationId: 'listKeys',
        summary: 'List the keys of a service account',
        description: 'Newest first, without the keys themselves.',
        params: IdParams,
        querystring: arrayQuery({}),
        response: { 200: z.array(KeyView) },
      },
    },
    async (req, reply) => {
      const userId = req.params.id
      const [, keys] = await Promise.all([
        getAccount(req.scope, { id: userId }),
        listKeys(req.scope, { userId }, pageRequestOf(req.query)),
      ])
      return reply.list(keys)
    },
  )

  app.post(
    '/service-accounts/:id/keys',
    {
      config: { access: 'key:manage' },
      schema: {
        operationId: 'createKey',
        summary: 'Make a key of a service account',
        description:
          "`key` is shown here and never again. `permissions` narrows it: it is then nobody's administrator, and does and sees what a person would who holds just these. It gets no news of the account. No key changes its own account. Only holders of all permissions of the account can make one, and with a narrowed key only keys that give no more than itself.",
        params: IdParams,
        body: KeyDraft,
        response: { 201: CreatedKeyView },
      },
    },
    (req) => req.transact((tx) => issueKey(tx, req.params.id, req.body)),
  )

  app.delete(
    '/service-accounts/:id/keys/:keyId',
    {
      config: { access: 'key:manage' },
      schema: {
        operationId: 'revokeKey',
        summary: 'Revoke a key',
        description: 'Within a second, every request with it is refused.',
        params: KeyParams,
        response: { 200: z.null() },
      },
    },
    (req) => req.transact((tx) => revokeKey(tx, req.params.id, req.params.keyId)),
  )
}
