import { assertUnchanged, type DomainRoutes, type FastifyRequest, givenOf, openScope, type Scope } from '#atrium'
import { authFaults, holdSession, limitGuesses } from '#atrium/auth'
import { fileFaults } from '#atrium/files'
import { lockStaff } from '#atrium/organization'
import { changeAvatar, peopleFaults, recordUserFields, savePreferences, type UserField } from '#atrium/people'
import { updateUser } from './users.actions.ts'
import { confirmations, profileState, userFaults } from './users.rules.ts'
import { ProfilePatch, ProfileView } from './users.schemas.ts'
import { getProfile } from './users.store.ts'

/** People's own profiles, in their own tenant, whichever tenant they name. */
export const profileRoutes: DomainRoutes = async (app, { config }) => {
  const guesses = limitGuesses(app, config.signInLimit)
  const addresses = { name: 'new-address', most: 10, windowMs: 3600_000 }

  app.get(
    '/users/me',
    {
      config: { access: 'signed-in', despite: 'change-password' },
      schema: {
        operationId: 'getProfile',
        summary: 'Read my profile',
        sends: ['ETag'],
        response: { 200: ProfileView },
      },
    },
    async (req, reply) => reply.fingerprinted(await findProfile(req), profileState),
  )

  app.put(
    '/users/me',
    {
      config: { access: 'signed-in', versionIn: 'nowhere', closedToKeys: 'all' },
      schema: {
        operationId: 'updateProfile',
        summary: 'Update my profile',
        description:
          'Omitted fields stay. A new e-mail address needs `currentPassword`; wrong ones are limited like failed sign-ins. It waits as `pendingEmail` until it is confirmed with the link that is mailed to it. The same address with `currentPassword` asks for such a link again, if it is not verified. If the service sends no mail, the address changes immediately, unverified.',
        body: ProfilePatch,
        response: { 200: ProfileView },
        sends: ['RateLimit', 'RateLimit-Policy'],
        refuses: [
          userFaults.changed,
          peopleFaults.nicknameTaken,
          authFaults.wrongPassword,
          fileFaults.notFound,
          fileFaults.notYoursToPublish,
        ],
      },
    },
    async (req, reply) => {
      const { currentPassword, version, avatarKey, locale, timeZone, mail, ...patch } = req.body
      const { id, tenantId } = req.user
      const before = await findProfile(req)
      const isNew = patch.email !== undefined && patch.email !== before.email
      const isProven = isNew || (currentPassword && patch.email && !before.emailVerified)
      if (isProven) await guesses.proveOwn(req, reply, currentPassword ?? '')
      const awaited = isProven && confirmations.get().areSent(config) ? patch.email : null
      if (awaited) await app.limits.take(reply, [{ limit: addresses, key: `${tenantId} ${id}` }])
      const preferences = givenOf({ locale, timeZone, mail })
      // The address that they have is not written back over a change that commits meanwhile.
      const change = { ...patch, roleIds: undefined, email: isNew && !awaited ? patch.email : undefined }
      const profile = await req.transactAs(req.user, tenantId, async (tx) => {
        const [, held] = await tx.inOrder([lockStaff(tx, {}), getProfile(tx, { id })])
        assertUnchanged(profileState(held), req.ifMatch)
        await updateUser(tx, id, change, undefined, { version })
        if (Object.keys(preferences).length > 0) savePreferences(tx, { id, ...preferences })
        if (avatarKey !== undefined) await changeAvatar(tx, avatarKey)
        if (awaited) {
          await holdSession(tx)
          await confirmations.get().ask(tx, awaited, config)
        }
        recordUserFields(tx, id, Object.keys(givenOf({ avatar: avatarKey, locale, timeZone, mail })) as UserField[])
        return readProfile(tx, id)
      })
      return reply.fingerprinted(profile, profileState)
    },
  )

  async function findProfile({ user }: FastifyRequest): Promise<ProfileView> {
    return readProfile(openScope(app.database, user.tenantId), user.id)
  }
}

async function readProfile(scope: Scope, id: number): Promise<ProfileView> {
  const [profile, pending] = await Promise.all([
    getProfile(scope, { id }),
    confirmations.get().findPending(scope, { userId: id }),
  ])
  return { ...profile, pendingEmail: pending?.email ?? null }
}
