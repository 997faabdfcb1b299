import type { FileResource } from '#atrium/files'
import { contentFaults, mayWrite } from './content.rules.ts'
import { articlesSeenBy, getOwnership, PUBLISHED, type SeesArticles, visibleArticles } from './content.store.ts'

/** Files of articles. Those of its editors are public while it is published; readers' files are for who signs in. */
export const filesOfArticles: FileResource<SeesArticles> = {
  type: 'article',
  id: 'articles.id',
  notFound: contentFaults.notFound,
  seenBy: articlesSeenBy,
  visible: visibleArticles,
  visibleToPublic: (from) => visibleArticles(from, PUBLISHED),
  async change(tx, id, sees, change) {
    // Without a lock: a file that is attached while its article is deleted is the same as one that was attached before.
    const article = await getOwnership(tx, { id, ...sees })
    const { version } = article
    return {
      history: { subject: { type: 'article', id }, ...change, version },
      goesPublic: mayWrite(article, tx.actor),
    }
  },
}
