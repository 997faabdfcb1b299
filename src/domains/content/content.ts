/** What other domains may use of this one. */
export { readPost, shareLockPost } from './content.actions.ts'
export { content } from './content.domain.ts'
export { findCovered } from './content.store.ts'
export { seedArticles } from './first-articles.ts'
