import { type Approval, type ApprovalStatus, type ApprovalStep, api } from '../../lib/api.ts'
import { html, type View } from '../../lib/html.ts'
import { t, timeText } from '../../lib/language.ts'
import { useLoad } from '../../lib/load.ts'
import { may, me } from '../../lib/me.ts'
import { isAdministrators } from '../../lib/roles.ts'
import { Confirm, FormDialog } from '../../parts/dialog.ts'
import { Field, type Values } from '../../parts/form.ts'
import { say } from '../../parts/notice.ts'
import { factList, Page, Show } from '../../parts/page.ts'
import { PersonField } from '../../parts/person.ts'
import { table } from '../../parts/table.ts'

/** One request: its steps, and what the reader can do about it. */
export function OneApproval({ id }: { id: number }): View {
  const approval = useLoad(() => api.getApproval({ id }), [id])
  if (!approval.data) return html`<${Page} title=${t('Approvals')}><${Show} of=${approval}>${() => null}<//><//>`
  const now = approval.data
  return html`<${Page} title=${now.title} actions=${now.status === 'PENDING' && html`<${Actions} of=${now} again=${approval.again} />`}>
    ${factList([
      [t('Applicant'), now.applicantName],
      [t('Department'), now.departmentName ?? '–'],
      [t('Status'), statusWords()[now.status]],
      now.waitingFor && [t('Waits for'), waitsFor(now)],
      [t('Kind'), now.type],
      now.submittedAt && [t('Submitted'), timeText(now.submittedAt)],
      now.completedAt && [t('Completed'), timeText(now.completedAt)],
    ])}
    ${now.payload && html`<h2>${t('Content')}</h2><pre>${now.payload}</pre>`}
    ${
      now.steps.length > 0 &&
      html`<h2>${t('Steps')}</h2>
        ${table({
          rows: now.steps,
          caption: t('Steps'),
          columns: [
            {
              title: t('Who'),
              of: (step) =>
                step.approverName ??
                (step.approverType === 'ADMIN' ? t('any administrator') : t('the leader of the department')),
            },
            { title: t('Status'), of: (step) => stepWords()[step.status] },
            {
              title: t('Decided by'),
              of: ({ actedByName, decidedForName }) =>
                actedByName && decidedForName
                  ? t('{name} for {other}', { name: actedByName, other: decidedForName })
                  : actedByName,
            },
            { title: t('When'), isTime: true, of: ({ actedAt }) => actedAt && timeText(actedAt) },
            { title: t('Comment'), of: ({ comment }) => comment },
          ],
        })}`
    }
  <//>`
}

export const statusWords = (): Record<ApprovalStatus, string> => ({
  DRAFT: t('draft'),
  PENDING: t('in progress'),
  APPROVED: t('approved'),
  REJECTED: t('rejected'),
  CANCELLED: t('taken back'),
})

const stepWords = (): Record<ApprovalStep['status'], string> => ({ ...statusWords(), WAITING: t('not yet') })

/** The person or the people for whom a request waits. */
export function waitsFor({ waitingFor, substituteName }: Approval): string {
  if (!waitingFor) return ''
  const name = waitingFor.approverName ?? t('any administrator')
  return substituteName ? t('{name}, or {substitute} for them', { name, substitute: substituteName }) : name
}

const isAdministrator = () => me.get()?.roles.some(isAdministrators)

function Actions({ of: now, again }: { of: Approval; again(): void }): View {
  const mine = me.get()!
  const { waitingFor, substituteId, applicantId, currentStep } = now
  const waitsForMe =
    waitingFor?.approverId === mine.id ||
    substituteId === mine.id ||
    (waitingFor?.approverId === null && isAdministrator())
  return html`
    ${
      waitsForMe &&
      may('approval:action') &&
      html`<${Decide} of=${now} again=${again} word=${t('Approve')} text=${t('{title} goes on to the next step, or is approved.', { title: now.title })} act=${api.approveApproval} />
        <${Decide} of=${now} again=${again} word=${t('Reject')} text=${t('{title} is rejected, and the applicant is notified. That cannot be undone.', { title: now.title })} act=${api.rejectApproval} />`
    }
    ${isAdministrator() && currentStep === 1 && html`<${Reassign} of=${now} again=${again} />`}
    ${
      applicantId === mine.id &&
      html`<${Confirm}
        label=${t('Take back')}
        question=${t('{title} is taken back, and nobody decides it any more. That cannot be undone.', { title: now.title })}
        act=${() => api.cancelApproval({ id: now.id })}
        then=${again}
      />`
    }
  `
}

interface DecideOptions {
  of: Approval
  again(): void
  word: string
  text: string
  act: typeof api.approveApproval
}

function Decide({ of: { id }, again, word, text, act }: DecideOptions): View {
  return html`<${FormDialog}
    label=${word}
    text=${text}
    act=${({ comment }: Values) => act({ id, body: { comment: comment || null } })}
    said=${t('Your decision was recorded.')}
    then=${again}
    refused=${again}
  >
    <${Field} name="comment" label=${t('Comment')} rows=${3} autofocus />
  <//>`
}

function Reassign({ of: { id }, again }: { of: Approval; again(): void }): View {
  return html`<${FormDialog}
    label=${t('Reassign')}
    text=${t('Somebody else decides the first step. They are notified.')}
    act=${({ userId }: Values) => api.reassignApproval({ id, body: { userId: Number(userId) } })}
    then=${({ waitingFor }: Approval) => {
      again()
      say(t('The request now waits for {name}.', { name: waitingFor?.approverName ?? '' }))
    }}
  >
    <${PersonField} name="userId" label=${t('To whom')} autofocus required />
  <//>`
}
