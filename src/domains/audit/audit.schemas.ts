import { AfterId, arrayQuery, bounded, Instant, idInPathOf, view, z } from '#atrium'

export const OperationQuery = arrayQuery({
  userId: idInPathOf('users').optional(),
  // Any method of HTTP: refusals of methods that no route has are recorded too.
  method: z.string().min(1).max(32).toUpperCase().optional().describe('Such as `POST`'),
  path: z.string().min(1).max(200).optional().describe('The beginning of the path'),
  requestId: z.string().min(1).max(64).optional().describe('`X-Request-Id` of the answer'),
  status: bounded(100, 599).optional(),
  from: Instant.optional(),
  to: Instant.optional(),
}).extend({ after: AfterId.describe('Only operations after this id; by default, and with 0, from the oldest kept') })

export const OperationView = z
  .object({
    id: view.id,
    requestId: view.text,
    tenantId: view.id,
    userId: view.maybeId,
    username: view.maybeText,
    actorKind: z.enum(['user', 'service', 'system']).nullable().meta({ id: 'ActorKind' }),
    keyPrefix: view.maybeText.describe('Of the key that a service account called with'),
    method: view.text,
    path: view.text,
    route: view.text,
    status: z.number().int(),
    duration: z.number().int().describe('Milliseconds'),
    ip: view.text,
    userAgent: view.text,
    createdAt: view.instant,
    chain: view.maybeText.describe('SHA-256, as hexadecimal digits; null until it is added'),
  })
  .meta({
    id: 'AuditOperation',
    examples: [
      {
        id: 90210,
        actorKind: 'service',
        keyPrefix: 'atr_11Vf3nq0Zk8P',
        method: 'POST',
        path: '/api/v1/projects/42/tasks',
        route: '/api/v1/projects/:id/tasks',
        status: 201,
        duration: 6,
        userAgent: 'Mozilla/5.0',
        ip: '203.0.113.7',
        requestId: 'order-page-17',
        chain: '9b74c9897bac770ffc029102a200c5de3c9a5ee1f2f1d1d1b5a5a2f3bb8d6d7e',
      },
    ],
  })
