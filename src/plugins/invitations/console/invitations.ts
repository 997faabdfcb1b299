import {
  api,
  type Department,
  type Invitation,
  type InvitationStatus,
  type Role,
  type SentInvitation,
} from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { html, useState, type View } from '#console/lib/html.ts'
import { t, timeText } from '#console/lib/language.ts'
import { useLoad, useRows } from '#console/lib/load.ts'
import { may } from '#console/lib/me.ts'
import { roleNames, useRoles } from '#console/lib/roles.ts'
import { go, useQuery } from '#console/lib/router.ts'
import { flat } from '#console/pages/departments/tree.ts'
import { Confirm, Once } from '#console/parts/dialog.ts'
import { Filter, Filters } from '#console/parts/filters.ts'
import { Field, Form, type Values } from '#console/parts/form.ts'
import { sayFailure } from '#console/parts/notice.ts'
import { Badge, Empty, Page, Show } from '#console/parts/page.ts'
import { RoleBoxes, roleIdsIn } from '#console/parts/roles.ts'
import { list } from '#console/parts/table.ts'

/** Who was invited: `invitations`, `invitations/new`. */
export default function Invitations({ rest }: { rest: string }): View {
  const [sent, show] = useState<SentInvitation>()
  return html`
    ${rest === 'new' ? html`<${NewInvitation} then=${show} />` : html`<${All} key=${sent?.id} onResent=${show} />`}
    ${
      sent &&
      html`<${Once}
        title=${t('The link of the invitation')}
        text=${t('{email} can accept the invitation with this link until {time}. It is shown only now; if it is lost, send the invitation again.', { email: sent.email, time: timeText(sent.expiresAt) })}
        value=${sent.acceptUrl}
        onClose=${() => {
          show(undefined)
          if (rest === 'new') go('invitations')
        }}
      />`
    }
  `
}

const KINDS = { pending: 'warn', accepted: 'good', withdrawn: 'plain', expired: 'plain' } as const

function All({ onResent }: { onResent(sent: SentInvitation): void }): View {
  const filters = useQuery('status')
  const invitations = useRows(
    (signal) => api.each.listInvitations(filters as object, { signal }),
    Object.values(filters),
  )
  const roles = useRoles().data
  const words: Record<InvitationStatus, string> = {
    pending: t('pending'),
    accepted: t('accepted'),
    withdrawn: t('withdrawn'),
    expired: t('expired'),
  }
  return html`<${Page}
    title=${t('Invitations')}
    actions=${html`<a class="button" href="/console/invitations/new">${t('Invite somebody')}</a>`}
  >
    <${Filters}>
      <${Filter} name="status" label=${t('Status')} all=${t('All')} options=${Object.entries(words)} />
    <//>
    ${list({
      of: invitations,
      whole: { operation: 'listInvitations', filters },
      caption: t('Invitations'),
      nameOf: ({ email }) => email,
      deeds: [
        {
          word: t('Withdraw'),
          question: t('The links that they have are dead afterwards. You can invite them again.'),
          fits: ({ status: now }) => now === 'pending',
          act: ({ id }) => api.withdrawInvitation({ id }),
        },
      ],
      empty: html`<${Empty}>
        <p>${t('There are no such invitations. Somebody who is invited chooses their own user name and password.')}</p>
        <a class="button" href="/console/invitations/new">${t('Invite somebody')}</a>
      <//>`,
      columns: [
        {
          title: t('E-mail'),
          of: ({ email, mailStatus }) =>
            html`${email}${mailStatus === 'dead' && html`<div class="quiet">${t('The mail could not be delivered.')}</div>`}`,
        },
        { title: t('Roles'), of: (one) => roleNames(one.roles, roles) },
        { title: t('Status'), of: (one) => html`<${Badge} kind=${KINDS[one.status]}>${words[one.status]}<//>` },
        { title: t('Invited by'), of: ({ invitedByName }) => invitedByName },
        { title: t('Valid until'), isTime: true, of: ({ expiresAt }) => timeText(expiresAt) },
        {
          title: t('Actions'),
          of: (one) => html`<${Actions} of=${one} again=${invitations.again} onResent=${onResent} />`,
        },
      ],
    })}
  <//>`
}

interface ActionsOptions {
  of: Invitation
  again(): void
  onResent(sent: SentInvitation): void
}

function Actions({ of: { id, email, status }, again, onResent }: ActionsOptions): View {
  if (status !== 'pending' && status !== 'expired') return null
  const resend = () => api.resendInvitation({ id }).then(onResent, sayFailure)
  return html`<div class="actions">
    <button type="button" onClick=${resend}>${t('Send again')}</button>
    ${
      status === 'pending' &&
      html`<${Confirm}
        label=${t('Withdraw')}
        question=${t('The link that {email} has is dead afterwards. You can invite them again.', { email })}
        act=${() => api.withdrawInvitation({ id })}
        said=${t('The invitation was withdrawn.')}
        then=${again}
      />`
    }
  </div>`
}

function NewInvitation({ then }: { then(sent: SentInvitation): void }): View {
  const roles = useRoles()
  const departments = useLoad(async () => (may('department:list') ? flat(await api.listDepartments()) : []), [])
  const command = useCommand(
    ({ email = '', departmentId, note, ...boxes }: Values) =>
      api.createInvitation({
        body: {
          ...{ email, note: note || null, roleIds: roleIdsIn(boxes) },
          departmentId: departmentId ? Number(departmentId) : null,
        },
      }),
    then,
  )
  return html`<${Page} title=${t('Invite somebody')}>
    <p>${t('They get a mail with a link, and choose their own user name and password. You see another link: an account that is made with it has an address that is not verified.')}</p>
    <${Show} of=${roles}>${(all: Role[]) => html`<${Form} command=${command} save=${t('Invite')}>
      <${Field} name="email" label=${t('E-mail')} type="email" required autofocus />
      <${RoleBoxes} all=${all} held=${['user']} />
      ${
        departments.data &&
        departments.data.length > 0 &&
        html`<${Field}
          name="departmentId"
          label=${t('Department')}
          options=${[['', '–'], ...departments.data.map(({ id, name, level }: Department & { level: number }) => [String(id), `${'  '.repeat(level)}${name}`])]}
        />`
      }
      <${Field} name="note" label=${t('Some words for the mail')} rows=${3} />
    <//>`}<//>
  <//>`
}
