import { api } from '../lib/api.ts'
import { html, useEffect, useState, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'

type Kind = 'task' | 'approval' | 'article'

/** Names that were looked up; the page forgets them when it is loaded again. */
const known = new Map<string, Promise<string | undefined>>()

function lookUp(kind: Kind, id: number): Promise<string | undefined> {
  const key = `${kind} ${id}`
  const read = { task: api.getTask, approval: api.getApproval, article: api.getArticle }[kind]
  const name = known.get(key) ?? read({ id }).then(({ title }) => title)
  known.set(
    key,
    name.catch(() => undefined),
  )
  return known.get(key)!
}

/** The title of a thing that the API names by its id; for those who may not see the thing, what it is. */
export function Named({ kind, id }: { kind: Kind; id: number }): View {
  const [name, setName] = useState<string>()
  useEffect(() => {
    let isThere = true
    void lookUp(kind, id).then((found) => isThere && setName(found))
    return () => {
      isThere = false
    }
  }, [kind, id])
  const words = { task: t('Task'), approval: t('Approval request'), article: t('Article') }
  return html`<span><span class="quiet">${words[kind]}:</span> ${name ?? '…'}</span>`
}
