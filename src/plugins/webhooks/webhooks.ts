/** What other domains may use. */
export { default as webhooks } from './webhooks.domain.ts'
