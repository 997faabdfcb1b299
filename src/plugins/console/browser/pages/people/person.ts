import { AtriumError, api, type Role, type User } from '../../lib/api.ts'
import { html, type View } from '../../lib/html.ts'
import { t, timeText } from '../../lib/language.ts'
import { useLoad } from '../../lib/load.ts'
import { may, me } from '../../lib/me.ts'
import { nameOf } from '../../lib/names.ts'
import { roleNames, useRoles } from '../../lib/roles.ts'
import { go } from '../../lib/router.ts'
import { Confirm, FormDialog } from '../../parts/dialog.ts'
import { Edit } from '../../parts/edit.ts'
import { Field, type Values } from '../../parts/form.ts'
import { Badge, factList, Page, Show, Slot } from '../../parts/page.ts'
import { LastSignIn, PersonStatus, statusWord } from '../../parts/person.ts'
import { RoleBoxes, roleIdsIn } from '../../parts/roles.ts'
import { HandOver } from './hand-over.ts'

/** One person: what is known of them, and what their managers can do. */
export function Person({ id }: { id: number }): View {
  const person = useLoad(() => api.getUser({ id }), [id])
  const roles = useRoles()
  const isMissing = person.failure instanceof AtriumError && person.failure.status === 404
  if (!person.data)
    return html`<${Page} title=${t('People')}>
      <${Show} of=${person}>${() => null}<//>
      ${isMissing && html`<${Slot} name="missing-person" id=${id} again=${person.again} />`}
    <//>`
  const user = person.data
  // Another address or password of their own needs the present password: their profile asks for it.
  const isSelf = me.get()?.id === id
  const save = ({ nickname, email, phone, realName, ...boxes }: Values, { version, roles: held }: User) => {
    const roleIds = roleIdsIn(boxes)
    const same = (roles.data ?? []).filter(({ code }) => held.includes(code)).map((role) => role.id)
    const isSame = same.length === roleIds.length && same.every((one) => roleIds.includes(one))
    return api.updateUser({
      id,
      body: {
        ...{ nickname: nickname || null, phone: phone || null, realName: realName || null },
        ...(!isSelf && { email: email || null }),
        ...(!isSame && { roleIds }),
        version,
      },
    })
  }
  const facts = ({ nickname, email, phone, realName, roles: codes, status }: User) =>
    [
      [t('Name'), nickname ?? ''],
      [t('Real name'), realName ?? ''],
      [t('E-mail'), email ?? ''],
      [t('Phone'), phone ?? ''],
      [t('Roles'), roleNames(codes, roles.data)],
      [t('Status'), statusWord(status)],
    ] as const
  return html`<${Page} title=${nameOf(user)} actions=${may('user:update') && html`<${Actions} of=${user} again=${person.again} />`}>
    ${factList([
      [t('User name'), user.username],
      [
        t('Status'),
        html`<${PersonStatus} of=${user} />
          ${user.selfRegistered && html` <${Badge} kind="warn">${t('registered themselves')}<//>`}`,
      ],
      [t('Since'), timeText(user.createdAt)],
      [t('Last sign-in'), html`<${LastSignIn} of=${user} />`],
    ])}
    ${
      may('user:update') &&
      html`<${Show} of=${roles}>${(all: Role[]) => html`
        <${Edit} of=${person} address=${`/api/v1/users/${id}`} facts=${facts} save=${save}>
          ${(now: User) => html`
            <${Field} name="nickname" label=${t('Name')} value=${now.nickname} />
            <${Field} name="realName" label=${t('Real name')} value=${now.realName} />
            ${!isSelf && html`<${Field} name="email" label=${t('E-mail')} type="email" value=${now.email} />`}
            <${Field} name="phone" label=${t('Phone')} type="tel" value=${now.phone} />
            <${RoleBoxes} all=${all} held=${now.roles} />
          `}
        <//>`}<//>
      <${HandOver} of=${user} />`
    }
  <//>`
}

function Actions({ of: user, again }: { of: User; again(): void }): View {
  const { id, status, version } = user
  const name = nameOf(user)
  const isActive = status === 'active'
  const clear =
    user.selfRegistered &&
    html`<${Confirm}
      label=${t('Clear the mark')}
      question=${t('{name} registered themselves, and sees only their own files. Without the mark they see the files of the tenant.', { name })}
      act=${() => api.updateUser({ id, body: { selfRegistered: false, version } })}
      then=${again}
    />`
  if (me.get()?.id === id) return html`${clear}`
  return html`
    <${Confirm}
      label=${t('End sessions')}
      question=${t('{name} is signed out everywhere, and can sign in again with the same password.', { name })}
      act=${() => api.endSessionsOfUser({ id })}
      said=${t('All sessions of {name} have ended.', { name })}
    />
    <${NewPassword} of=${user} />
    <${Slot} name="person-actions" of=${user} />
    ${clear}
    <${Confirm}
      key=${status}
      label=${isActive ? t('Disable') : t('Enable')}
      question=${isActive ? t('{name} can no longer sign in, and every session ends. You can enable them again.', { name }) : t('{name} can sign in again.', { name })}
      act=${() => api.updateUser({ id, body: { status: isActive ? 'disabled' : 'active', version } })}
      then=${again}
    />
    ${
      may('user:delete') &&
      html`<${Confirm}
        label=${t('Delete')}
        question=${t('{name} leaves every project and department, and their name and address are deleted. What they did stays, as that of a former member.', { name })}
        act=${() => api.deleteUser({ id })}
        said=${t('{name} was deleted.', { name })}
        then=${() => go('people')}
      />`
    }
  `
}

/** A new password for somebody, which ends all their sessions. */
function NewPassword({ of: user }: { of: User }): View {
  return html`<${FormDialog}
    label=${t('Set a new password')}
    text=${t('All sessions of {name} end. They sign in again with the new password.', { name: nameOf(user) })}
    save=${t('Set the password')}
    act=${({ password }: Values) => api.updateUser({ id: user.id, body: { password: password! } })}
    said=${t('The password was changed, and the sessions have ended.')}
  >
    <${Field} name="password" label=${t('New password')} type="password" autocomplete="new-password" required autofocus />
  <//>`
}
