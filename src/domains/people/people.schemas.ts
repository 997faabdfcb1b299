import { z } from 'zod'
import { view } from '../../kernel/zod.ts'

export const UserStatus = z.enum(['active', 'disabled']).meta({ id: 'UserStatus' })

export const UserView = z
  .object({
    id: view.id,
    username: view.text,
    nickname: view.maybeText,
    email: view.maybeText,
    phone: view.maybeText,
    realName: view.maybeText,
    status: UserStatus,
    roles: z.array(z.string()),
    createdAt: view.instant,
    updatedAt: view.instant,
  })
  .meta({
    id: 'User',
    examples: [{ id: 7, phone: '+49 30 1234567', roles: ['user'], roleIds: [2], realName: 'Ada Lovelace' }],
  })
export type UserView = z.output<typeof UserView>

export const DirectoryEntry = z
  .object({ id: view.id, username: view.text, nickname: view.maybeText })
  .meta({ id: 'DirectoryEntry', examples: [{ id: 7 }] })
