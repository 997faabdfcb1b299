import { sentence, z } from '#atrium'
import { newPassword } from '#atrium/people'

/** Anything may be sent as a token; what is none is not found. */
const LinkToken = z.string().min(1).max(512).describe('From the fragment of the link')
const EXAMPLE = '1.Zr3pN0vXk2Qm8sYtB5wLd7hJf9gRc4aUe6iKoPxTnMs'

const given = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .transform((value) => value || null)
    .nullish()

export const ResetRequest = z
  .object({ username: given(64), email: given(128), tenantCode: z.string().trim().max(64).nullish() })
  .refine(({ username, email }) => username || email, sentence('needs a user name or an e-mail address'))
  .meta({ id: 'PasswordResetRequest', examples: [{ username: 'ada', tenantCode: 'default' }] })

export const ResetConfirmation = z.object({ token: LinkToken, newPassword: newPassword(6) }).meta({
  id: 'PasswordResetConfirmRequest',
  examples: [{ token: EXAMPLE, newPassword: 'a better battery staple' }],
})

export const EmailConfirmation = z
  .object({ token: LinkToken })
  .meta({ id: 'EmailConfirmRequest', examples: [{ token: EXAMPLE }] })
