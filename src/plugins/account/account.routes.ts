import {
  type DomainRoutes,
  type Fault,
  fail,
  faults,
  hashToken,
  networkOf,
  openScope,
  type Scope,
  tenantOfToken,
  visitor,
  z,
} from '#atrium'
import { transactAsPerson } from '#atrium/auth'
import { findPasswordToReplace, hashPassword, verifyPassword } from '#atrium/people'
import { assertMayChoose, findTenant } from '#atrium/tenants'
import { sendsLinks } from '#plugins/links'
import { canSendMail, mailFaults } from '#plugins/mail'
import { accountFaults } from './account.rules.ts'
import { EmailConfirmation, ResetConfirmation, ResetRequest } from './account.schemas.ts'
import { findReset, insertResetRequest } from './account.store.ts'
import { confirmAddress } from './addresses.actions.ts'
import { openResetAnswers } from './reset-answers.ts'
import { confirmReset } from './resets.actions.ts'

/** Links by mail: a new password, and the confirmation of an address. */
export const accountRoutes: DomainRoutes = async (app, { config }) => {
  const answers = openResetAnswers(app.database, config)
  app.addHook('onClose', () => answers.close())
  /** 20 where one account may ask for 3. */
  const ofNetwork = { name: 'password-reset', most: Math.ceil((config.resetLimit * 20) / 3), windowMs: 3600_000 }
  const links = { name: 'link', most: config.refreshLimit, windowMs: 60_000 }
  if (canSendMail(config) && !sendsLinks(config))
    app.log.warn(
      {},
      'nobody can reset a forgotten password: set PUBLIC_URL or ACCOUNT_URL, to which links in mail lead',
    )

  app.post(
    '/auth/password-resets',
    {
      config: { access: 'anyone' },
      schema: {
        operationId: 'requestPasswordReset',
        summary: 'Ask for a new password',
        description:
          'By user name or, without one, by e-mail address. Anyone who is found gets a mail with a link that works once, for 30 minutes, and replaces older ones; the address need not be verified. The response is the same for everybody, and also if there were too many requests (`RESET_LIMIT`).',
        body: ResetRequest,
        response: { 200: z.null() },
        refuses: [mailFaults.notConfigured, accountFaults.addressNotConfigured],
      },
    },
    async (req) => {
      const { username = null, email = null, tenantCode } = req.body
      if (!canSendMail(config)) throw mailFaults.notConfigured()
      if (!sendsLinks(config)) throw accountFaults.addressNotConfigured()
      const tenant = await app.tenancies.enter(tenantCode?.trim() || app.tenancies.codeIn(req), { expired: true })
      if (!(await app.limits.tally({ limit: ofNetwork, key: networkOf(req.ip) }))) return null
      const nobody = { tenantId: tenant.id, userId: null, username: null }
      await req.transactAs(visitor, tenant.id, async (tx) => insertResetRequest(tx, { username, email }), nobody)
      answers.giveSoon(tenant.id)
      return null
    },
  )

  app.post(
    '/auth/password-resets/confirm',
    {
      config: { access: 'anyone', limit: links },
      schema: {
        operationId: 'confirmPasswordReset',
        summary: 'Set a new password with a link',
        description:
          'Ends all sessions of the person, and every lock-out of their account. Their second factor stays. A link does not work after its password or its address was changed in another way.',
        body: ResetConfirmation,
        response: { 200: z.null() },
        refuses: [accountFaults.resetNotFound],
      },
    },
    async (req) => {
      const { token, newPassword } = req.body
      const tenant = await enter(token, accountFaults.resetNotFound)
      const scope = openScope(app.database, tenant.id)
      const [found, named] = await Promise.all([
        findReset(scope, { tokenHash: hashToken(token) }),
        findTenant(scope, { id: tenant.id }),
      ])
      const person = found ?? fail(accountFaults.resetNotFound())
      await assertMayChoose(scope, newPassword, person, 'body.newPassword', [tenant.code, named!.name])
      await assertReplaced(scope, person.userId, newPassword)
      const passwordHash = await hashPassword(newPassword, networkOf(req.ip))
      const subject = { tenantId: tenant.id, userId: person.userId, username: person.username }
      await req.transactAs(visitor, tenant.id, (tx) => confirmReset(tx, token, passwordHash), subject)
    },
  )

  app.post(
    '/auth/email/confirm',
    {
      config: { access: 'anyone', limit: links },
      schema: {
        operationId: 'confirmEmail',
        summary: 'Confirm an e-mail address with a link',
        description: 'The address becomes that of the person, verified. Needs no session.',
        body: EmailConfirmation,
        response: { 200: z.null() },
        refuses: [accountFaults.emailTokenNotFound],
      },
    },
    async (req) => {
      const { token } = req.body
      const tenant = await enter(token, accountFaults.emailTokenNotFound)
      await transactAsPerson(req, tenant.id, (tx) => confirmAddress(tx, token, canSendMail(config)))
    },
  )

  /** The tenant of a token, also if it has expired: its administrators may sign in, to renew it. */
  async function enter(token: string, unknown: () => Fault) {
    const tenantId = tenantOfToken(token) ?? fail(unknown())
    return app.tenancies.enterById(tenantId, unknown, { expired: true })
  }
}

/** To a person who must change their password, the same one again is no change. @throws VALIDATION_FAILED */
async function assertReplaced(scope: Scope, id: number, newPassword: string): Promise<void> {
  const replaced = await findPasswordToReplace(scope, { id })
  if (replaced && (await verifyPassword(newPassword, replaced.passwordHash)))
    throw faults.validation([{ path: 'body.newPassword', message: 'must not be the current password' }])
}
