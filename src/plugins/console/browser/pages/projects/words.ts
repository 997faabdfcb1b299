import type { Project } from '../../lib/api.ts'
import { html, type View } from '../../lib/html.ts'
import { t } from '../../lib/language.ts'
import { Badge } from '../../parts/page.ts'

/** What somebody is in a project. */
export const roleWords = (): Record<NonNullable<Project['myRole']>, string> => ({
  owner: t('owner'),
  member: t('member'),
  viewer: t('viewer'),
})

/** Whether a project can still be changed. */
export function ProjectStatus({ of: { status } }: { of: Project }): View {
  const isActive = status === 'ACTIVE'
  return html`<${Badge} kind=${isActive ? 'good' : 'plain'}>${isActive ? t('active') : t('archived')}<//>`
}
