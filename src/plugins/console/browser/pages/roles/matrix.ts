import { api, ifUnchanged, type Permission, type Role } from '../../lib/api.ts'
import { useCommand } from '../../lib/command.ts'
import { html, useRef, useState, type View } from '../../lib/html.ts'
import { numberText, t } from '../../lib/language.ts'
import { may, me } from '../../lib/me.ts'
import { grouped } from '../../lib/permissions.ts'
import { isAdministrators } from '../../lib/roles.ts'
import { useGuard } from '../../lib/unsaved.ts'
import { Changed } from '../../parts/edit.ts'
import { Failure, say } from '../../parts/notice.ts'

const sorted = ({ permissions }: Role) => [...permissions].sort().join(', ')

/** What differs from the role as it was read: `7 user:list` → whether it is to hold it. */
type Changes = ReadonlyMap<string, boolean>
const keyOf = (role: Pick<Role, 'id'>, code: string) => `${role.id} ${code}`

export interface MatrixOptions {
  roles: Role[]
  /** those that have a column; changes of the others are saved too */
  shown: Role[]
  permissions: Permission[]
  again(): void
  isLoading: boolean
}

/** Permissions down, roles across. Boxes are changed first and saved together. */
export function Matrix({ roles, shown, permissions, again, isLoading }: MatrixOptions): View {
  const [changes, change] = useState<Changes>(new Map())
  const table = useRef<HTMLDivElement>(null)
  useGuard(table, () => changes.size > 0)
  const [stale, setStale] = useState<Role>()
  const isOf = (role: Role, key: string) => key.startsWith(keyOf(role, ''))
  const changed = roles.filter((role) => [...changes.keys()].some((key) => isOf(role, key)))
  const holds = (role: Role, code: string) => changes.get(keyOf(role, code)) ?? role.permissions.includes(code)
  const mayChange = (role: Role, code: string) =>
    may('role:update') && may('role:permission') && !isAdministrators(role.code) && me.get()!.permissions.includes(code)

  /** What was ticked anew while it was saved stays a change. */
  const forget = (isSaved: (key: string) => boolean) =>
    change((left) => new Map([...left].filter(([key, isHeld]) => !isSaved(key) || changes.get(key) !== isHeld)))
  const save = useCommand(async () => {
    try {
      for (const role of changed) {
        const now = await api.getRole({ id: role.id })
        const call = ifUnchanged(`/api/v1/roles/${role.id}`)
        if (sorted(now) !== sorted(role)) return setStale(role)
        const permissionIds = permissions.filter(({ code }) => holds(role, code)).map(({ id }) => id)
        await api.updateRole({ id: role.id, body: { permissionIds } }, call)
        forget((key) => isOf(role, key))
      }
      forget(() => true)
      setStale(undefined)
      say(t('Saved'))
    } finally {
      again()
    }
  })
  // Until the roles are read again, they are not what was saved.
  const isBusy = save.isBusy || isLoading
  const toggle = (role: Role, code: string) => {
    const next = new Map(changes)
    const key = keyOf(role, code)
    if (next.has(key) && !isBusy) next.delete(key)
    else next.set(key, !holds(role, code))
    change(next)
  }
  const facts = (role: Role | undefined) => [[t('Permissions'), role ? sorted(role) : '']] as const
  return html`
    <div ref=${table} class="wide" tabindex="0" role="region" aria-label=${t('Permissions of the roles')}>
      <table class="matrix">
        <caption class="hidden">${t('Permissions of the roles')}</caption>
        <thead>
          <tr>
            <th scope="col">${t('Permission')}</th>
            ${shown.map(({ id, name }) => html`<th key=${id} scope="col"><a href=${`/console/roles/${id}`}>${name}</a></th>`)}
          </tr>
        </thead>
        ${grouped(permissions).map(
          ([kind, some]) => html`<tbody key=${kind}>
            <tr>
              <th scope="rowgroup" colspan=${shown.length + 1}>${kind}</th>
            </tr>
            ${some.map(
              ({ id, code, name }) => html`<tr key=${id}>
                <th scope="row">${name} <span class="quiet">${code}</span></th>
                ${shown.map(
                  (role) => html`<td key=${role.id} class=${changes.has(keyOf(role, code)) ? 'touched' : ''}>
                    <input
                      type="checkbox"
                      aria-label=${`${role.name}: ${name}`}
                      checked=${holds(role, code)}
                      disabled=${!mayChange(role, code)}
                      onChange=${() => toggle(role, code)}
                    />
                  </td>`,
                )}
              </tr>`,
            )}
          </tbody>`,
        )}
      </table>
    </div>
    ${
      stale &&
      html`<${Changed}
        address=${`/api/v1/roles/${stale.id}`}
        before=${facts(stale)}
        now=${facts(roles.find(({ id }) => id === stale.id))}
        isLoading=${isLoading}
      />`
    }
    <${Failure} of=${save.failure} />
    ${
      changes.size > 0 &&
      html`<div class="actions sticky">
        <button type="button" class="main" aria-disabled=${isBusy} onClick=${() => isBusy || void save.run()}>
          ${changes.size === 1 ? t('Save one change') : t('Save {count} changes', { count: numberText(changes.size) })}
        </button>
        <button type="button" onClick=${() => change(new Map())}>${t('Discard')}</button>
      </div>`
    }
  `
}
