import type { Tx } from '../src/data/tx/scope.ts'
import { checkOut } from '../src/domains/checkout/checkout.actions.ts'
import { addComment, moderateComment } from '../src/domains/comments/comments.actions.ts'
import { createArticle, createCategory } from '../src/domains/content/content.actions.ts'
import { receiveMessage, replaceSection } from '../src/domains/portal/portal.actions.ts'
import { keep, type Memory, nameIn } from './recall.ts'
import type { PressDeed, Step } from './story.ts'

/** What happens on the pages. */
export async function actOnPages(
  tx: Tx,
  step: Step & PressDeed,
  { categories, articles, comments }: Memory,
): Promise<void> {
  switch (step.does) {
    case 'write section':
      return void (await replaceSection(tx, step.section, step.content))
    case 'create category': {
      const { slug, name, description } = step
      const category = await createCategory(tx, { slug, name, description, status: 'active' })
      return keep(categories, nameIn(step, slug), category)
    }
    case 'write article': {
      const { article: title, category, author, summary, tags, content, status } = step
      const categoryId = categories.get(nameIn(step, category))!.id
      const draft = { title, categoryId, summary, tags, content, status, author: author ?? null, cover: null }
      return keep(articles, nameIn(step, title), await createArticle(tx, draft))
    }
    case 'comment article': {
      const comment = await addComment(tx, articles.get(nameIn(step, step.article))!.id, step.content)
      return keep(comments, nameIn(step, step.content), comment)
    }
    case 'hide comment':
      return void (await moderateComment(tx, comments.get(nameIn(step, step.content))!.id, 'hidden'))
    case 'leave message':
      return void (await receiveMessage(tx, step))
    case 'check out':
      return void (await checkOut(tx, step))
    default:
      return step satisfies never
  }
}
