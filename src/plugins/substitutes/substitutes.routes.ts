import { type DomainRoutes, IdParams, z } from '#atrium'
import { holdSession } from '#atrium/auth'
import { lockStaff } from '#atrium/organization'
import { SubstituteView } from '#atrium/users'
import { dismissSubstitute, nameSubstitute } from './substitutes.actions.ts'
import { substituteFaults } from './substitutes.rules.ts'
import { SubstituteDraft } from './substitutes.schemas.ts'

const REFUSES = [substituteFaults.userNotFound, substituteFaults.cannotDecide, substituteFaults.dateOrder]

/** Substitutes. People name their own in their own tenant, even if the request names another one. */
export const substituteRoutes: DomainRoutes = async (app) => {
  app.put(
    '/users/me/substitute',
    {
      config: { access: 'signed-in', closedToKeys: 'all' },
      schema: {
        operationId: 'setMySubstitute',
        summary: 'Name my substitute',
        description:
          'From the first day to the last one, the substitute may decide what waits for me; so may I. A substitute cannot pass it on, and does not decide requests of their own. Another substitute is replaced.',
        body: SubstituteDraft,
        response: { 200: SubstituteView },
        refuses: REFUSES,
      },
    },
    (req) =>
      req.transactAs(req.user, req.user.tenantId, async (tx) => {
        await lockStaff(tx, {})
        await holdSession(tx)
        return nameSubstitute(tx, req.user.id, req.body)
      }),
  )

  app.delete(
    '/users/me/substitute',
    {
      config: { access: 'signed-in', closedToKeys: 'all' },
      schema: {
        operationId: 'removeMySubstitute',
        summary: 'Dismiss my substitute',
        response: { 200: z.null() },
      },
    },
    (req) => req.transactAs(req.user, req.user.tenantId, (tx) => dismissSubstitute(tx, req.user.id)),
  )

  app.put(
    '/users/:id/substitute',
    {
      config: { access: 'user:update' },
      schema: {
        operationId: 'setSubstitute',
        summary: 'Name the substitute of a user',
        description: 'For a user who is away already. The caller must hold every permission of the user.',
        params: IdParams,
        body: SubstituteDraft,
        response: { 200: SubstituteView },
        refuses: REFUSES,
      },
    },
    (req) => req.transact((tx) => nameSubstitute(tx, req.params.id, req.body)),
  )
}
