import { z } from 'zod'
import { text, view } from '../../kernel/zod.ts'

const tenantCode = z.string().trim().max(64).nullish()
/** Passwords are kept as they are typed: nothing is trimmed. */
const password = (least: number) => z.string().min(least).max(128)

export const Credentials = z
  .object({ username: text(64), password: z.string().min(1).max(128), tenantCode })
  .meta({ id: 'Credentials', examples: [{ tenantCode: 'default' }] })
export const Registration = z
  .object({
    username: text(64),
    email: text(128).pipe(z.email()),
    password: password(6),
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
export const PasswordChange = z.object({ currentPassword: z.string().min(1).max(128), newPassword: password(6) }).meta({
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

export const Me = z
  .object({
    id: view.id,
    tenantId: view.id,
    username: view.text,
    nickname: view.maybeText,
    email: view.maybeText,
    roles: z.array(z.string()),
    permissions: z.array(z.string()),
  })
  .meta({
    id: 'Me',
    examples: [{ id: 7, roles: ['user'], permissions: ['project:list', 'project:create', 'task:update'] }],
  })
