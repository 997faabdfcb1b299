import {
  type Config,
  type DomainRoutes,
  type FastifyRequest,
  fail,
  faults,
  IdParams,
  openScope,
  pageRequestOf,
  quotaFaults,
  tenantOfToken,
  z,
} from '#atrium'
import { assertMayUsePassword, authFaults, placeOf, TokenPair, tokenPairOf, transactAsPerson } from '#atrium/auth'
import { hashPassword, peopleFaults } from '#atrium/people'
import { roleFaults } from '#atrium/roles'
import { assertMayChoose } from '#atrium/tenants'
import { accountLink, sendsLinks } from '#plugins/links'
import { accept, invite, inviteAgain, type Links, previewInvitation, withdraw } from './invitations.actions.ts'
import { invitationFaults } from './invitations.rules.ts'
import {
  InvitationAcceptance,
  InvitationDraft,
  InvitationPreview,
  InvitationQuery,
  InvitationToken,
  InvitationView,
  SentInvitation,
} from './invitations.schemas.ts'
import { readInvitation, readInvitations } from './read.ts'

/** Invitations, for those who may send them and for those who get one. */
export const invitationRoutes: DomainRoutes = async (app, { config }) => {
  const links = { name: 'link', most: config.refreshLimit, windowMs: 60_000 }

  app.get(
    '/invitations',
    {
      config: { access: 'user:invite', list: 'invitations' },
      schema: {
        operationId: 'listInvitations',
        summary: 'List invitations',
        description: 'Newest first. They are kept until 90 days after they have expired.',
        querystring: InvitationQuery,
        response: { 200: z.array(InvitationView) },
      },
    },
    async (req, reply) => {
      const { status } = req.query
      return reply.list(await readInvitations(req.scope, { ...(status && { status }) }, pageRequestOf(req.query)))
    },
  )

  app.get(
    '/invitations/:id',
    {
      config: { access: 'user:invite' },
      schema: {
        operationId: 'getInvitation',
        summary: 'Read an invitation',
        params: IdParams,
        response: { 200: InvitationView },
      },
    },
    async (req) => readInvitation(req.scope, req.params.id),
  )

  app.post(
    '/invitations',
    {
      config: { access: 'user:invite' },
      schema: {
        operationId: 'createInvitation',
        summary: 'Invite a person',
        description:
          "Sends a mail with a link in the tenant's language, if the service sends mail. `acceptUrl` is another link, for sending it in another way: an account that is made with it has an unverified address, since only the mailed one shows whose the address is. Nobody can invite into a role with permissions that they do not hold; `departmentId` needs `department:manage` too. The verified address of a member is 409 `ALREADY_MEMBER`, unless the invitation links them to the identity provider of the tenant; apart from that the response does not depend on whether the address belongs to somebody.",
        body: InvitationDraft,
        response: { 201: SentInvitation },
        sends: ['Location'],
        refuses: [
          faults.notInTenant,
          roleFaults.notFound,
          invitationFaults.departmentNotFound,
          invitationFaults.alreadyMember,
          invitationFaults.pending,
        ],
      },
    },
    async (req, reply) => {
      const sent = await req.transact((tx) => invite(tx, req.body, linksOf(req, config)))
      return reply.created(`/invitations/${sent.id}`, sent)
    },
  )

  app.post(
    '/invitations/:id/resend',
    {
      config: { access: 'user:invite' },
      schema: {
        operationId: 'resendInvitation',
        summary: 'Send an invitation again',
        description:
          'Also after it has expired, or reads `withdrawn` because its sender could not send it now. It gets new links and its full time again; the old ones no longer work. The caller becomes the one who invites, so they must hold the permissions of its roles, and `department:manage` if it names a department.',
        params: IdParams,
        response: { 200: SentInvitation },
        refuses: [
          faults.notInTenant,
          invitationFaults.illegalMove,
          invitationFaults.alreadyMember,
          invitationFaults.pending,
        ],
      },
    },
    async (req) => req.transact((tx) => inviteAgain(tx, req.params.id, linksOf(req, config))),
  )

  app.delete(
    '/invitations/:id',
    {
      config: { access: 'user:invite', versionIn: 'nowhere' },
      schema: {
        operationId: 'withdrawInvitation',
        summary: 'Withdraw an invitation',
        description: 'Its link no longer works. An invitation that was accepted stays.',
        params: IdParams,
        response: { 200: z.null() },
        refuses: [invitationFaults.illegalMove],
      },
    },
    (req) => req.transact((tx) => withdraw(tx, req.params.id)),
  )

  app.post(
    '/auth/invitations/preview',
    {
      // It changes nothing.
      config: { access: 'anyone', limit: links, idempotent: false },
      schema: {
        operationId: 'previewInvitation',
        summary: 'Read the invitation of a link',
        description: 'Every link that cannot be used gets the same refusal.',
        body: InvitationToken,
        response: { 200: InvitationPreview },
        refuses: [invitationFaults.unusable],
      },
    },
    async (req) => {
      const tenant = await enter(req.body.token)
      return previewInvitation(openScope(app.database, tenant.id), req.body.token)
    },
  )

  app.post(
    '/auth/invitations/accept',
    {
      config: { access: 'anyone', limit: links, counts: 'registered' },
      schema: {
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation',
        description:
          'Makes the account and signs in. The e-mail address is verified if the link is the mailed one. If people of the tenant sign in at an identity provider, they accept by doing that. A link works once, and as long as the person who sent it could send it now: neither after they were disabled, nor after they lost the permissions that it gives. Such an invitation reads `withdrawn`.',
        body: InvitationAcceptance,
        response: { 201: TokenPair },
        refuses: [
          invitationFaults.unusable,
          peopleFaults.usernameTaken,
          peopleFaults.nicknameTaken,
          quotaFaults.exceeded,
          authFaults.passwordForbidden,
        ],
      },
    },
    async (req) => {
      const { password, ...acceptance } = req.body
      const tenant = await enter(acceptance.token)
      const scope = openScope(app.database, tenant.id)
      const { email, tenantName } = await previewInvitation(scope, acceptance.token)
      await assertMayUsePassword(scope)
      const owner = { username: acceptance.username, email }
      await assertMayChoose(scope, password, owner, 'body.password', [tenant.code, tenantName])
      const place = placeOf(req)
      const passwordHash = await hashPassword(password, place.network)
      const session = await transactAsPerson(req, tenant.id, (tx) =>
        accept(tx, acceptance, passwordHash, config.refreshTokenTtl, place),
      )
      return tokenPairOf(app, config, session)
    },
  )

  /** The tenant of a token. One that is disabled or has expired takes nobody in, and is not told from any other. */
  async function enter(token: string) {
    const tenantId = tenantOfToken(token) ?? fail(invitationFaults.unusable())
    return app.tenancies.enterById(tenantId, invitationFaults.unusable).catch((error) => {
      throw error.status < 500 ? invitationFaults.unusable() : error
    })
  }
}

/** How the links look that a request makes. */
export function linksOf(req: FastifyRequest, config: Config): Links {
  const origin = `${req.protocol}://${req.host}`
  return {
    shown: (token) => accountLink(config, 'invitation', token, origin)!,
    mailed: sendsLinks(config) ? (token) => accountLink(config, 'invitation', token)! : undefined,
  }
}
