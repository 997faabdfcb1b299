declare module 'fastify' {
  interface FastifyContextConfig {
    /** the business event that a success of this route counts as */
    counts?: BusinessEvent
  }
}

/** Counted business events. */
export type BusinessEvent =
  | 'signed_in'
  | 'registered'
  | 'tenant_created'
  | 'project_created'
  | 'task_created'
  | 'task_commented'
  | 'approval_submitted'
  | 'approval_approved'
  | 'approval_rejected'
  | 'file_uploaded'
  | 'article_created'
  | 'order_made'
  | 'contacted'
