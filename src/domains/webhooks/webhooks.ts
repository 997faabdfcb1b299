/** What other domains may use. */
export { webhooks } from './webhooks.domain.ts'
