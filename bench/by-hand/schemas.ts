/** The requests and answers of the server by hand, as JSON schemas. */
const nullableText = { type: 'string', nullable: true } as const
export const task = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    projectId: { type: 'integer' },
    title: { type: 'string' },
    description: nullableText,
    assigneeId: { type: 'integer', nullable: true },
    reporterId: { type: 'integer' },
    priority: { type: 'string' },
    status: { type: 'string' },
    dueDate: nullableText,
    version: { type: 'integer' },
    createdAt: { type: 'string' },
    updatedAt: { type: 'string' },
  },
} as const
export const params = { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 } } } as const
export const fields = {
  title: { type: 'string', minLength: 1, maxLength: 255 },
  description: { ...nullableText, maxLength: 8000 },
  priority: { type: 'string', enum: ['LOW', 'MEDIUM', 'HIGH', 'URGENT'] },
  dueDate: { ...nullableText, format: 'date' },
} as const

export function enveloped(data: object) {
  return { type: 'object', properties: { code: { type: 'integer' }, message: { type: 'string' }, data } }
}

export function window(pageSize: number) {
  return {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, default: 1 },
      pageSize: { type: 'integer', minimum: 1, maximum: 1000, default: pageSize },
    },
  }
}
