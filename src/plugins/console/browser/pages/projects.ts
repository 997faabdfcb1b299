import { api, type Project } from '../lib/api.ts'
import { html, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { useRows } from '../lib/load.ts'
import { place } from '../lib/router.ts'
import { Filter, Filters, Search } from '../parts/filters.ts'
import { Page } from '../parts/page.ts'
import { list } from '../parts/table.ts'
import { OneProject } from './projects/project.ts'
import { ProjectStatus, roleWords } from './projects/words.ts'

/** The projects that one sees; one of them with its members: `projects/7`. */
export default function Projects({ rest }: { rest: string }): View {
  return rest ? html`<${OneProject} key=${rest} id=${Number(rest)} />` : html`<${Found} />`
}

function Found(): View {
  const { query } = place.use()
  const filters = { status: query.get('status') || undefined, keyword: query.get('keyword') || undefined }
  const projects = useRows<Project>(
    (signal) => api.each.listProjects(filters as object, { signal }),
    Object.values(filters),
  )
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
