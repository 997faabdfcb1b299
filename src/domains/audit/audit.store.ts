import { write } from '../../data/statement.ts'

/** One request as the audit keeps it: never a body, a query value or a token. */
export interface Operation {
  requestId: string
  userId: number | null
  username: string | null
  method: string
  path: string
  route: string
  status: number
  duration: number
  ip: string
  userAgent: string
}

export const insertOperation = write(({ insert }, p: Operation) => insert('auditOperations', p))
