import { api, ifUnchanged, type Menu, type Permission, type Role } from '../lib/api.ts'
import { useCommand } from '../lib/command.ts'
import { html, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { useLoad } from '../lib/load.ts'
import { may } from '../lib/me.ts'
import { grouped } from '../lib/permissions.ts'
import { isAdministrators, useRoles } from '../lib/roles.ts'
import { go, place, setQuery } from '../lib/router.ts'
import { Confirm } from '../parts/dialog.ts'
import { Edit } from '../parts/edit.ts'
import { Check, Field, Form, tickedIn, type Values } from '../parts/form.ts'
import { factList, Page, pages, Show } from '../parts/page.ts'
import { RoleBoxes } from '../parts/roles.ts'
import { flat, type Level } from './departments/tree.ts'
import { Matrix, type MatrixOptions } from './roles/matrix.ts'

/** What people may do: `roles` is the matrix, then `roles/new` and `roles/7`. */
export default pages({ all: All, fresh: NewRole, one: OneRole })

function All(): View {
  const roles = useRoles()
  const permissions = useLoad(() => api.listPermissions(), [])
  return html`<${Page}
    title=${t('Roles')}
    actions=${may('role:create') && html`<a class="button" href="/console/roles/new">${t('Add a role')}</a>`}
  >
    <${Show} of=${permissions}>${(all: Permission[]) => html`<${Show} of=${roles}>${(now: Role[]) => html`<${Columns} roles=${now} permissions=${all} again=${roles.again} isLoading=${roles.isLoading} />`}<//>`}<//>
  <//>`
}

/** So many roles stand beside each other until the person chooses. */
const BESIDE_EACH_OTHER = 8

/** The matrix of the roles that the address names, `roles?shown=3,9`, or of the first ones. */
function Columns({ roles, ...more }: Omit<MatrixOptions, 'shown'>): View {
  const named = place.use().query.get('shown')?.split(',').map(Number)
  const shown = named ? roles.filter(({ id }) => named.includes(id)) : roles.slice(0, BESIDE_EACH_OTHER)
  const choose = ({ id }: Role, isShown: boolean) => {
    const others = shown.map((role) => role.id).filter((one) => one !== id)
    setQuery({ shown: [...others, ...(isShown ? [id] : [])].join() })
  }
  return html`
    ${
      roles.length > BESIDE_EACH_OTHER &&
      html`<details>
        <summary>${t('{count} of {total} roles stand beside each other', { count: shown.length, total: roles.length })}</summary>
        <${RoleBoxes} all=${roles} held=${shown.map(({ code }) => code)} legend=${t('Columns')} onChange=${choose} />
      </details>`
    }
    <${Matrix} roles=${roles} shown=${shown} ...${more} />
  `
}

function NewRole(): View {
  const permissions = useLoad(() => api.listPermissions(), [])
  const command = useCommand(
    ({ name = '', code, description, ...boxes }: Values) =>
      api.createRole({
        body: {
          ...{ name, code: code || null, description: description || null },
          permissionIds: idsIn(boxes, 'permission'),
        },
      }),
    ({ id }) => go(`roles/${id}`),
  )
  return html`<${Page} title=${t('Add a role')}>
    <${Show} of=${permissions}>${(all: Permission[]) => html`<${Form} command=${command} save=${t('Add')}>
      <${Field} name="name" label=${t('Role name')} required autofocus />
      <${Field} name="code" label=${t('Short code')} hint=${t('Left empty, it is made from the name. It does not change afterwards.')} />
      <${Field} name="description" label=${t('Description')} rows=${2} />
      <${PermissionBoxes} all=${all} held=${[] as string[]} />
    <//>`}<//>
  <//>`
}

const idsIn = (values: Values, kind: 'permission' | 'menu') => tickedIn(values, kind).map(Number)

function PermissionBoxes({ all, held }: { all: readonly Permission[]; held: readonly string[] }): View {
  return html`${grouped(all).map(
    ([kind, permissions]) => html`<fieldset key=${kind}>
      <legend>${kind}</legend>
      <div class="boxes">
        ${permissions.map(
          ({ id, code, name }) => html`<${Check}
            key=${id}
            name=${`permission-${id}`}
            label=${html`${name} <span class="quiet">${code}</span>`}
            checked=${held.includes(code)}
          />`,
        )}
      </div>
    </fieldset>`,
  )}`
}

function OneRole({ id }: { id: number }): View {
  const role = useLoad(async () => ({ ...(await api.getRole({ id })), call: ifUnchanged(`/api/v1/roles/${id}`) }), [id])
  const lists = useLoad(
    async () => ({
      permissions: await api.listPermissions(),
      menus: may('menu:list') ? flat(await api.listMenuTree()) : [],
    }),
    [],
  )
  if (!role.data) return html`<${Page} title=${t('Roles')}><${Show} of=${role}>${() => null}<//><//>`
  const { code, name } = role.data
  const isFixed = isAdministrators(code)
  const isReserved = isFixed || code === 'user'
  const save = (values: Values, now: Role & { call: object }) => {
    const permissionIds = idsIn(values, 'permission')
    const menuIds = idsIn(values, 'menu')
    return api.updateRole(
      {
        id,
        body: {
          ...(!isReserved && { name: values.name ?? now.name }),
          description: values.description || null,
          ...(!isFixed && { permissionIds }),
          ...(code !== 'admin' && lists.data!.menus.length > 0 && { menuIds }),
        },
      },
      now.call,
    )
  }
  const facts = (now: Role) =>
    [
      [t('Role name'), now.name],
      [t('Description'), now.description ?? ''],
      [t('Permissions'), [...now.permissions].sort().join(', ')],
      [
        t('Menus'),
        (lists.data?.menus ?? [])
          .filter((menu) => now.menuIds.includes(menu.id))
          .map((menu) => menu.name)
          .join(', '),
      ],
    ] as const
  return html`<${Page}
    title=${name}
    actions=${
      may('user:list') &&
      html`<a class="button" href=${`/console/people?roleId=${id}`}>${t('Who holds it')}</a>
        ${
          !isReserved &&
          may('role:delete') &&
          html`<${Confirm}
            label=${t('Delete')}
            question=${t('The role {name} is deleted. That works only while nobody holds it.', { name })}
            act=${() => api.deleteRole({ id })}
            said=${t('{name} was deleted.', { name })}
            then=${() => go('roles')}
          />`
        }`
    }
  >
    ${factList([[t('Short code'), code]])}
    ${isReserved && html`<p class="quiet">${t('This role is part of the service: its name stays, and administrators keep all permissions.')}</p>`}
    <${Show} of=${lists}>${({ permissions, menus }: { permissions: Permission[]; menus: Level<Menu>[] }) =>
      may('role:update') &&
      html`<${Edit} of=${role} address=${`/api/v1/roles/${id}`} facts=${facts} save=${save}>
        ${(now: Role) => html`
          ${!isReserved && html`<${Field} name="name" label=${t('Role name')} value=${now.name} required />`}
          <${Field} name="description" label=${t('Description')} rows=${2} value=${now.description} />
          ${!isFixed && html`<${PermissionBoxes} all=${permissions} held=${now.permissions} />`}
          ${
            menus.length > 0 &&
            code !== 'admin' &&
            html`<fieldset>
              <legend>${t('Menus')}</legend>
              ${menus.map(
                (menu) => html`<div key=${menu.id} class=${`level-${Math.min(menu.level, 3)}`}>
                  <${Check} name=${`menu-${menu.id}`} label=${menu.name} checked=${now.menuIds.includes(menu.id)} />
                </div>`,
              )}
            </fieldset>`
          }
        `}
      <//>`}<//>
  <//>`
}
