import { api } from '../lib/api.ts'
import { html, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { useLoad } from '../lib/load.ts'
import { me } from '../lib/me.ts'

type Kind = 'task' | 'approval' | 'article'

/** Titles that were looked up, by who may see them; the page forgets them when it is loaded again. */
const known = new Map<string, Promise<string>>()

function lookUp(kind: Kind, id: number): Promise<string> {
  const key = [me.get()!.tenantId, me.get()!.id, kind, id].join(' ')
  const read = { task: api.getTask, approval: api.getApproval, article: api.getArticle }[kind]
  const title = known.get(key) ?? read({ id }).then(({ title }) => title)
  known.set(key, title)
  title.catch(() => known.delete(key))
  return title
}

/** The title of a thing that the API names by its id; for those who may not see the thing, what it is. */
export function Named({ kind, id }: { kind: Kind; id: number }): View {
  const title = useLoad(() => lookUp(kind, id), [kind, id])
  const words = { task: t('Task'), approval: t('Approval request'), article: t('Article') }
  return html`<span><span class="quiet">${words[kind]}:</span> ${title.data ?? '…'}</span>`
}
