import type { FileResource } from '#atrium/files'
import { contentFaults, mayWrite } from './content.rules.ts'
import { articlesSeenBy, PUBLISHED, type SeesArticles, shareLockArticle, visibleArticles } from './content.store.ts'

/** Files of articles. Those of its editors are public while it is published; readers' files are for who signs in. */
export const filesOfArticles: FileResource<SeesArticles> = {
  type: 'article',
  id: 'articles.id',
  notFound: contentFaults.notFound,
  seenBy: articlesSeenBy,
  visible: visibleArticles,
  visibleToPublic: (from) => visibleArticles(from, PUBLISHED),
  async change(tx, id, sees, change) {
    const article = await shareLockArticle(tx, { id, ...sees })
    tx.record({ subject: { type: 'article', id }, ...change, version: article.version })
    return mayWrite(article, tx.actor)
  },
}
