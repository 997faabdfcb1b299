/** What other domains may use. */
export { content } from './content.domain.ts'
export { seedArticles } from './first-articles.ts'
export { getPost, shareLockPost } from './posts.store.ts'
