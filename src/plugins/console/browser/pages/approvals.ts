import { type ApprovalStatus, api } from '../lib/api.ts'
import { html, type View } from '../lib/html.ts'
import { t, timeText } from '../lib/language.ts'
import { useRows } from '../lib/load.ts'
import { useQuery } from '../lib/router.ts'
import { Filter, Filters, Search } from '../parts/filters.ts'
import { Badge, Page, pages } from '../parts/page.ts'
import { list } from '../parts/table.ts'
import { OneApproval, statusWords, waitsFor } from './approvals/approval.ts'

/** Requests and with whom they wait: `approvals?scope=todo`, `approvals/7`. */
export default pages({ all: All, one: OneApproval })

const KINDS: Record<ApprovalStatus, 'plain' | 'warn' | 'good' | 'bad'> = {
  DRAFT: 'plain',
  PENDING: 'warn',
  APPROVED: 'good',
  REJECTED: 'bad',
  CANCELLED: 'plain',
}

/** How a request stands. */
function ApprovalBadge({ of }: { of: ApprovalStatus }): View {
  return html`<${Badge} kind=${KINDS[of]}>${statusWords()[of]}<//>`
}

function All(): View {
  const { scope = 'all', ...others } = useQuery('scope', 'status', 'keyword')
  const filters = { scope, ...others }
  const approvals = useRows((signal) => api.each.listApprovals(filters as object, { signal }), Object.values(filters))
  return html`<${Page} title=${t('Approvals')}>
    <${Filters}>
      <${Search} label=${t('Find requests')} placeholder=${t('Title')} />
      <${Filter} name="scope" label=${t('Which')} options=${[
        ['all', t('all that I see')],
        ['todo', t('wait for me')],
        ['mine', t('made by me')],
      ]} />
      <${Filter} name="status" label=${t('Status')} all=${t('All')} options=${Object.entries(statusWords())} />
    <//>
    ${list({
      of: approvals,
      whole: { operation: 'listApprovals', filters },
      caption: t('Approvals'),
      empty: t('There are no such requests.'),
      columns: [
        { title: t('Title'), of: ({ id, title }) => html`<a href=${`/console/approvals/${id}`}>${title}</a>` },
        { title: t('Applicant'), of: ({ applicantName }) => applicantName },
        { title: t('Department'), of: ({ departmentName }) => departmentName },
        { title: t('Status'), of: ({ status: now }) => html`<${ApprovalBadge} of=${now} />` },
        { title: t('Waits for'), of: waitsFor },
        { title: t('Submitted'), isTime: true, of: ({ submittedAt }) => submittedAt && timeText(submittedAt) },
      ],
    })}
  <//>`
}
