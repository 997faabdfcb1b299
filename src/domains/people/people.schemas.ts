import { z } from 'zod'
import { view } from '../../kernel/zod.ts'

export const UserView = z
  .object({
    id: view.id,
    username: view.text,
    nickname: view.maybeText,
    email: view.maybeText,
    phone: view.maybeText,
    realName: view.maybeText,
    status: z.enum(['active', 'disabled']),
    roles: z.array(z.string()),
    createdAt: view.instant,
    updatedAt: view.instant,
  })
  .meta({ id: 'User' })

export const DirectoryEntry = z
  .object({ id: view.id, username: view.text, nickname: view.maybeText })
  .meta({ id: 'DirectoryEntry' })
