import type { AuditOperation } from '../../lib/api.ts'
import { deedOf, subjectsOf } from '../../lib/deeds.ts'
import { html, type View } from '../../lib/html.ts'
import { me } from '../../lib/me.ts'
import { useNames } from '../../lib/names.ts'
import { pageOf } from '../../subjects.ts'

/** The names of the people whom these requests are about. */
export function useNamesIn(operations: readonly AuditOperation[]): (id: number) => string {
  const people = operations.flatMap((one) => subjectsOf(one).filter(({ of }) => of === 'users'))
  return useNames(people.map(({ id }) => id))
}

/** What was done, and to what or whom. */
export function Deed({ of: operation, nameOf }: { of: AuditOperation; nameOf(id: number): string }): View {
  return html`${deedOf(operation)}${subjectsOf(operation).map(({ of, id }) => {
    const name = of === 'users' ? nameOf(id) : `#${id}`
    const page = pageOf(me.get()!, of, id)
    return html` ${page ? html`<a href=${`/console/${page}`}>${name}</a>` : name}`
  })}`
}
