/** What other domains may use. */
export { readPost } from './content.actions.ts'
export { content } from './content.domain.ts'
export { seedArticles } from './first-articles.ts'
export { shareLockPost } from './posts.store.ts'
