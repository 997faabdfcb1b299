import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type FastifyRequest, openScope } from '#atrium'
import { authFaults, type limitGuesses } from '#atrium/auth'
import { fileFaults } from '#atrium/files'
import { changeAvatar, peopleFaults, savePreferences } from '#atrium/people'
import { updateUser } from './users.actions.ts'
import { userState } from './users.rules.ts'
import { ProfilePatch, ProfileView } from './users.schemas.ts'
import { getProfile } from './users.store.ts'

/** People's own profiles, in their own tenant, whichever tenant they name. */
export const profileRoutes: FastifyPluginAsyncZod<{ guesses: ReturnType<typeof limitGuesses> }> = async (
  app,
  { guesses },
) => {
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
    async (req, reply) => {
      const profile = await findProfile(req)
      return reply.fingerprinted(profile, userState(profile))
    },
  )

  app.put(
    '/users/me',
    {
      config: { access: 'signed-in', versionIn: 'nowhere' },
      schema: {
        operationId: 'updateProfile',
        summary: 'Update my profile',
        description:
          'Omitted fields stay. A new e-mail address needs `currentPassword`; wrong ones are limited like failed sign-ins.',
        body: ProfilePatch,
        response: { 200: ProfileView },
        sends: ['RateLimit', 'RateLimit-Policy'],
        refuses: [
          peopleFaults.nicknameTaken,
          authFaults.wrongPassword,
          fileFaults.notFound,
          fileFaults.notYoursToPublish,
        ],
      },
    },
    async (req, reply) => {
      const { currentPassword, avatarKey, locale, timeZone, mail, ...patch } = req.body
      if (patch.email !== undefined && patch.email !== (await findProfile(req)).email)
        await guesses.proveOwn(req, reply, currentPassword ?? '')
      const { id, tenantId } = req.user
      const preferences = given({ locale, timeZone, mail })
      const change = { ...patch, roleIds: undefined }
      const profile = await req.transactAs(req.user, tenantId, async (tx) => {
        await updateUser(tx, id, change, undefined, req)
        if (Object.keys(preferences).length > 0) savePreferences(tx, { id, ...preferences })
        if (avatarKey !== undefined) await changeAvatar(tx, avatarKey)
        return getProfile(tx, { id })
      })
      return reply.fingerprinted(profile, userState(profile))
    },
  )

  async function findProfile({ user }: FastifyRequest): Promise<ProfileView> {
    return getProfile(openScope(app.database, user.tenantId), { id: user.id })
  }
}

/** Without the fields that were left out. */
function given<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>
}
