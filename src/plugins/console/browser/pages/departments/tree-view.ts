import { api } from '../../lib/api.ts'
import { html, useLayoutEffect, useRef, useState, type View } from '../../lib/html.ts'
import { numberText, t } from '../../lib/language.ts'
import { may } from '../../lib/me.ts'
import { say, sayFailure } from '../../parts/notice.ts'
import { Badge } from '../../parts/page.ts'
import { childrenOf, type Flat, flat, liesIn, movesFor, type Place, placeOf, stepFrom } from './tree.ts'

/** Where something that is dragged would land: on a department, or before or after it. */
interface Target {
  id: number
  where: 'before' | 'on' | 'after'
}

/**
 * The tree. A department is moved by dragging it, or with Alt and the arrow keys while its name has the focus; both can be
 * undone.
 */
export function Tree({ all, again }: { all: Flat[]; again(): void }): View {
  const [dragged, drag] = useState<number>()
  const [target, aim] = useState<Target>()
  const moved = useRef<number | undefined>(undefined)
  const mayMove = may('department:manage')
  // What stands in another place is another element: the focus was lost with the old one.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) document.getElementById(`department-${moved.current}`)?.focus()
    moved.current = undefined
  }, [all])

  const move = (one: Flat, to: Place | undefined) => {
    if (!to || liesIn(all, to.parentId, one.id)) return
    const before = placeOf(all, one)
    const show = () => {
      moved.current = one.id
      again()
    }
    const undo = () => moveBack(one, before).finally(show)
    void saveMoves(all, one.id, to)
      .then(() => say(t('{name} was moved.', { name: one.name }), { undo }), sayFailure)
      .finally(show)
  }
  const press = (event: KeyboardEvent, one: Flat) => {
    if (!mayMove || !event.altKey || !event.key.startsWith('Arrow')) return
    event.preventDefault()
    move(one, stepFrom(all, one, event.key))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    const one = all.find(({ id }) => id === dragged)
    const on = all.find(({ id }) => id === target?.id)
    drag(undefined)
    aim(undefined)
    if (one && on && target) move(one, landing(all, one, on, target.where))
  }
  const level = (parentId: number | null): View => html`<ul class=${parentId === null ? 'tree' : ''}>
    ${childrenOf(all, parentId).map(
      (one) => html`<li key=${one.id}>
        <div
          class=${`branch ${target?.id === one.id ? target.where : ''} ${dragged === one.id ? 'dragged' : ''}`}
          draggable=${mayMove}
          onDragStart=${() => drag(one.id)}
          onDragEnd=${() => drag(undefined)}
          onDragOver=${(event: DragEvent) => {
            if (dragged === undefined) return
            event.preventDefault()
            aim({ id: one.id, where: whereIn(event) })
          }}
          onDrop=${drop}
        >
          <a id=${`department-${one.id}`} href=${`/console/departments/${one.id}`} draggable=${false} onKeyDown=${(event: KeyboardEvent) => press(event, one)}>${one.name}</a>
          ${one.status !== 'active' && html`<${Badge} kind="warn">${t('disabled')}<//>`}
          <span class="quiet">
            <bdi>${one.leaderName ?? t('no leader')}</bdi> · ${one.memberCount === 1 ? t('one person') : t('{count} people', { count: numberText(one.memberCount) })}
          </span>
        </div>
        ${one.children.length > 0 && level(one.id)}
      </li>`,
    )}
  </ul>`
  return html`
    ${mayMove && html`<p class="quiet">${t('Drag a department to move it, or press Alt and an arrow key on its name.')}</p>`}
    ${level(null)}
  `
}

async function saveMoves(all: readonly Flat[], id: number, to: Place): Promise<void> {
  for (const { id: changed, name, code, parentId, leaderId, sort, status, version } of movesFor(all, id, to))
    await api.replaceDepartment({ id: changed, body: { name, code, parentId, leaderId, sort, status, version } })
}

/** Reads the tree as it is now, and puts a department where it was. */
async function moveBack({ id }: Flat, to: Place): Promise<void> {
  await saveMoves(flat(await api.listDepartments()), id, to)
}

function landing(all: readonly Flat[], one: Flat, on: Flat, where: Target['where']): Place {
  if (where === 'on') return { parentId: on.id, at: childrenOf(all, on.id).filter(({ id }) => id !== one.id).length }
  const beside = childrenOf(all, on.parentId).filter(({ id }) => id !== one.id)
  const at = beside.findIndex(({ id }) => id === on.id)
  return { parentId: on.parentId, at: where === 'before' ? at : at + 1 }
}

/** The upper quarter means before, the lower one after, and the middle below. */
function whereIn(event: DragEvent): Target['where'] {
  const { top, height } = (event.currentTarget as HTMLElement).getBoundingClientRect()
  const part = (event.clientY - top) / height
  return part < 0.25 ? 'before' : part > 0.75 ? 'after' : 'on'
}
