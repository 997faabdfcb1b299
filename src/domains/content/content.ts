/** What other domains may use. */
export { readPost } from './content.actions.ts'
export { content } from './content.domain.ts'
export { findCovered, shareLockPost } from './content.store.ts'
export { seedArticles } from './first-articles.ts'
