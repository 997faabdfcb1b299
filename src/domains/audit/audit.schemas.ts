import { z } from 'zod'
import { arrayQuery } from '../../kernel/page.ts'
import { bounded, IdInPath, Instant, view } from '../../kernel/zod.ts'

export const OperationQuery = arrayQuery({
  userId: IdInPath.optional(),
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']).optional(),
  path: z.string().min(1).max(200).optional().describe('The beginning of the path'),
  status: bounded(100, 599).optional(),
  from: Instant.optional(),
  to: Instant.optional(),
})

export const OperationView = z
  .object({
    id: view.id,
    requestId: view.text,
    tenantId: view.id,
    userId: view.maybeId,
    username: view.maybeText,
    method: view.text,
    path: view.text,
    route: view.text,
    status: z.number().int(),
    duration: z.number().int().describe('Milliseconds'),
    ip: view.text,
    userAgent: view.text,
    createdAt: view.instant,
  })
  .meta({ id: 'AuditOperation' })
