import { sentence, text, view, z } from '#atrium'
import { newPassword, Username } from '#atrium/people'

const tenantCode = z.string().trim().max(64).nullish()
/** A name as typed: names from before the rules must still match. */
const name = z.string().trim().min(1, sentence('must not be blank')).max(64)

export const Credentials = z
  .object({
    username: name,
    password: z.string().min(1).max(128),
    code: z
      .string()
      .trim()
      .max(64)
      .nullish()
      .describe('Of the second factor: six digits of the app, or a recovery code'),
    tenantCode,
  })
  .meta({ id: 'Credentials', examples: [{ tenantCode: 'default', code: '492039' }] })
export const Registration = z
  .object({
    username: Username,
    email: text(128).pipe(z.email()),
    password: newPassword(6),
    tenantCode,
  })
  .meta({ id: 'Registration', examples: [{ tenantCode: 'default' }] })
export const RefreshRequest = z
  .object({ refreshToken: z.string().min(1).max(512) })
  .meta({ id: 'RefreshRequest', examples: [{ refreshToken: '1.q8Zt0mVn5sYw3kXf2bJc7dLh9gRa4eUi' }] })
export const LogoutRequest = z
  .object({ refreshToken: z.string().max(512).nullish() })
  .meta({ id: 'LogoutRequest', examples: [{ refreshToken: '1.q8Zt0mVn5sYw3kXf2bJc7dLh9gRa4eUi' }] })
  .nullish()
export const PasswordChange = z
  .object({ currentPassword: z.string().min(1).max(128), newPassword: newPassword(6) })
  .meta({
    id: 'PasswordChange',
    examples: [{ currentPassword: 'correct horse battery staple', newPassword: 'a better battery staple' }],
  })

export const TokenPair = z
  .object({
    accessToken: view.text,
    refreshToken: view.text,
    expiresIn: z.number().int().describe('Seconds'),
    tokenType: z.literal('Bearer'),
  })
  .meta({
    id: 'TokenPair',
    examples: [
      {
        accessToken: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl',
        refreshToken: '1.q8Zt0mVn5sYw3kXf2bJc7dLh9gRa4eUi',
        expiresIn: 7200,
      },
    ],
  })

export const SessionView = z
  .object({
    id: view.id,
    current: z.boolean().describe('The one that asks'),
    createdAt: view.instant,
    lastSeenAt: view.instant,
    ip: view.maybeText.describe('Where it was opened; null if it is older than this field'),
    userAgent: view.maybeText,
    openedWith: z.enum(['password', 'provider']).describe('`provider`: the identity provider of the tenant'),
  })
  .meta({
    id: 'Session',
    examples: [
      { id: 41, current: true, lastSeenAt: '2026-11-22T09:30:00.000Z', ip: '203.0.113.7', userAgent: 'Mozilla/5.0' },
    ],
  })

export const Me = z
  .object({
    id: view.id,
    tenantId: view.id,
    tenant: z.object({ code: z.string(), name: view.text }).describe('The tenant that the request is in'),
    username: view.text,
    nickname: view.maybeText,
    email: view.maybeText,
    roles: z.array(z.string()),
    permissions: z.array(z.string()),
  })
  .meta({
    id: 'Me',
    examples: [
      {
        id: 7,
        code: 'acme',
        name: 'Acme',
        roles: ['user'],
        permissions: ['project:list', 'project:create', 'task:update'],
      },
    ],
  })
