import { api } from '../lib/api.ts'
import { html, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { useRows } from '../lib/load.ts'
import { useQuery } from '../lib/router.ts'
import { Filter, Filters, Search } from '../parts/filters.ts'
import { Page, pages } from '../parts/page.ts'
import { list } from '../parts/table.ts'
import { OneProject, ProjectStatus, roleWords } from './projects/project.ts'

/** The projects that one sees; one of them with its members: `projects/7`. */
export default pages({ all: Found, one: OneProject })

function Found(): View {
  const filters = useQuery('status', 'keyword')
  const projects = useRows((signal) => api.each.listProjects(filters as object, { signal }), Object.values(filters))
  return html`<${Page} title=${t('Projects')}>
    <${Filters}>
      <${Search} label=${t('Find projects')} />
      <${Filter} name="status" label=${t('Status')} all=${t('All')} options=${[
        ['ACTIVE', t('active')],
        ['ARCHIVED', t('archived')],
      ]} />
    <//>
    ${list({
      of: projects,
      caption: t('Projects'),
      whole: { operation: 'listProjects', filters },
      empty: t('There are no such projects.'),
      columns: [
        { title: t('Project'), of: ({ id, name }) => html`<a href=${`/console/projects/${id}`}>${name}</a>` },
        { title: t('Short code'), of: ({ code }) => code },
        { title: t('Owner'), of: ({ ownerName }) => ownerName },
        { title: t('Your role'), of: ({ myRole }) => (myRole ? roleWords()[myRole] : '–') },
        { title: t('Status'), of: (project) => html`<${ProjectStatus} of=${project} />` },
      ],
    })}
  <//>`
}
