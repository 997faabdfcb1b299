import type { AuditOperation } from '../../lib/api.ts'
import { deedOf, subjectsOf } from '../../lib/deeds.ts'
import { html, type View } from '../../lib/html.ts'
import { useNames } from '../../lib/names.ts'

/** Where the console has a page of what a path names. */
const PAGES: Record<string, string> = {
  users: 'people',
  roles: 'roles',
  departments: 'departments',
  approvals: 'approvals',
  tenants: 'tenants',
  webhooks: 'webhooks',
  'service-accounts': 'keys',
}

/** The names of the people whom these requests are about. */
export function useNamesIn(operations: readonly AuditOperation[]): (id: number) => string {
  const people = operations.flatMap((one) => subjectsOf(one).filter(({ of }) => of === 'users'))
  return useNames(people.map(({ id }) => id))
}

/** What was done, and to what or whom. */
export function Deed({ of: operation, nameOf }: { of: AuditOperation; nameOf(id: number): string }): View {
  return html`${deedOf(operation)}${subjectsOf(operation).map(({ of, id }) => {
    const name = of === 'users' ? nameOf(id) : `#${id}`
    return html` ${PAGES[of] ? html`<a href=${`/console/${PAGES[of]}/${id}`}>${name}</a>` : name}`
  })}` as unknown as View
}
