import { describe, expect, test } from 'vitest'
import { assertMayDelete } from '../../src/domains/tasks/bin/bin.rules.ts'
import { reviseTask, TASK_MOVES } from '../../src/domains/tasks/tasks.rules.ts'
import type { Task, TaskPatch, TaskStatus } from '../../src/domains/tasks/tasks.schemas.ts'
import type { Permission } from '../../src/kernel/access.ts'
import { refusalOf } from '../support/refusal.ts'

const NOW = '2026-11-21T09:00:00.000Z'
const STATUSES = Object.keys(TASK_MOVES) as TaskStatus[]

describe('the life of a task', () => {
  /** The table of the specification, written down a second time: TASK_MOVES is not its own judge. */
  const allowed = new Set([
    ...['TODO IN_PROGRESS', 'IN_PROGRESS BLOCKED', 'BLOCKED IN_PROGRESS', 'IN_PROGRESS DONE'],
    ...['TODO CANCELLED', 'IN_PROGRESS CANCELLED', 'BLOCKED CANCELLED'],
  ])
  const pairs = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const))

  test.each(pairs)('%s → %s', (from, to) => {
    const task = givenTask({ status: from })
    const decide = () => revise(task, { version: 3, status: to })

    if (from === 'DONE' || from === 'CANCELLED') expect(refusalOf(decide)).toMatchObject({ type: 'TASK_FINISHED' })
    else if (from === to) expect(decide().changes).toEqual([])
    else if (allowed.has(`${from} ${to}`))
      expect(decide()).toMatchObject({
        task: { status: to, version: 4 },
        changes: [{ action: 'STATUS_CHANGED', fieldName: 'status', oldValue: from, newValue: to }],
      })
    else
      expect(refusalOf(decide)).toMatchObject({
        type: 'ILLEGAL_TRANSITION',
        status: 409,
        details: [{ path: 'body.status', from, to, allowed: TASK_MOVES[from] }],
      })
  })
})

describe('a refused change of a task names the first thing that is wrong', () => {
  const wrong = { version: 99, assigneeId: 8, status: 'BLOCKED' as const }

  test('its state before everything', () => {
    expect(refusalOf(() => revise(givenTask({ status: 'TODO' }), wrong, false)).type).toBe('ILLEGAL_TRANSITION')
    expect(refusalOf(() => revise(givenTask({ status: 'DONE' }), wrong, false)).type).toBe('TASK_FINISHED')
  })

  test('then its values', () => {
    const refused = refusalOf(() => revise(givenTask({ status: 'IN_PROGRESS' }), wrong, false))
    expect(refused).toMatchObject({ type: 'ASSIGNEE_NOT_MEMBER', status: 400 })
  })

  test('then its version', () => {
    const refused = refusalOf(() => revise(givenTask({ status: 'IN_PROGRESS' }), wrong, true))
    expect(refused).toMatchObject({ type: 'VERSION_CONFLICT', details: [{ path: 'version', expected: 99, actual: 3 }] })
  })

  test.each(['DONE', 'CANCELLED'] as const)('and nothing at all may change once it is %s', (status) => {
    for (const patch of [{ title: 'New' }, { assigneeId: null }, {}])
      expect(refusalOf(() => revise(givenTask({ status }), { version: 3, ...patch })).type).toBe('TASK_FINISHED')
  })
})

describe('what a patch makes of a task', () => {
  test('a field left out stays, null clears, and the version rises by one', () => {
    const task = givenTask({ description: 'old', dueDate: '2026-01-01', assigneeId: 5 })

    const { task: revised } = revise(task, { version: 3, description: null })

    expect(revised).toEqual({ ...task, description: null, version: 4, updatedAt: NOW })
  })

  test('each changed field leaves one line of history, with both values', () => {
    const { changes } = revise(
      givenTask({ assigneeId: 5 }),
      { version: 3, title: 'New', description: 'Some', priority: 'URGENT', dueDate: '2027-02-28', assigneeId: null },
      false,
    )

    expect(changes).toEqual([
      { action: 'FIELD_CHANGED', fieldName: 'title', oldValue: 'Old', newValue: 'New' },
      { action: 'FIELD_CHANGED', fieldName: 'description', oldValue: null, newValue: 'Some' },
      { action: 'FIELD_CHANGED', fieldName: 'priority', oldValue: 'LOW', newValue: 'URGENT' },
      { action: 'FIELD_CHANGED', fieldName: 'dueDate', oldValue: null, newValue: '2027-02-28' },
      { action: 'TASK_ASSIGNED', fieldName: 'assigneeId', oldValue: '5', newValue: null },
    ])
  })

  test('a patch that changes nothing raises the version and leaves no history', () => {
    const revision = revise(givenTask(), { version: 3, title: 'Old', priority: 'LOW', status: 'TODO' })
    expect(revision).toMatchObject({ task: { version: 4 }, changes: [], newAssignee: undefined })
  })

  test('only a new assignee is a new assignee', () => {
    const assigned = givenTask({ assigneeId: 5 })
    expect(revise(assigned, { version: 3, assigneeId: 6 }).newAssignee).toBe(6)
    for (const patch of [{ assigneeId: 5 }, { assigneeId: null }, { title: 'New' }])
      expect(revise(assigned, { version: 3, ...patch }).newAssignee).toBeUndefined()
  })

  const assignees = (['active', 'disabled'] as const).flatMap((status) =>
    [true, false].flatMap((mayRead) => (['member', 'viewer'] as const).map((role) => ({ status, mayRead, role }))),
  )
  test.each(assignees)(
    'goes to an active member who may read, and to nobody else, but whoever has it keeps it: %o',
    (assignee) => {
      const assigned = givenTask({ assigneeId: 5 })
      const give = (to: Task) => reviseTask(to, { version: 3, assigneeId: 6 }, assignee, NOW)
      const isGiven = assignee.status === 'active' && assignee.mayRead && assignee.role === 'member'
      if (isGiven) expect(give(assigned).newAssignee).toBe(6)
      else expect(refusalOf(() => give(assigned)).type).toBe('ASSIGNEE_NOT_MEMBER')
      expect(give({ ...assigned, assigneeId: 6 }).task.assigneeId).toBe(6)
    },
  )
})

function revise(task: Task, patch: TaskPatch, assigneeIsMember = true) {
  const assignee = { status: 'active', mayRead: true, role: 'member' } as const
  return reviseTask(task, patch, assigneeIsMember ? assignee : undefined, NOW)
}

function givenTask(changes: Partial<Task> = {}): Task {
  return {
    id: 1,
    projectId: 2,
    title: 'Old',
    description: null,
    assigneeId: null,
    reporterId: 4,
    priority: 'LOW',
    status: 'TODO',
    dueDate: null,
    version: 3,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...changes,
  }
}

describe('a task is deleted and restored', () => {
  const people = { reporter: 7, owner: 8, 'who manages all': 9, 'its assignee': 10 }
  const cases = Object.entries(people).flatMap(([who, id]) =>
    (['ACTIVE', 'ARCHIVED'] as const).map((projectStatus) => [who, id, projectStatus] as const),
  )
  test.each(cases)('by %s, %i, in a project that is %s', (who, id, projectStatus) => {
    const permissions = new Set<Permission>(who === 'who manages all' ? ['project:manage'] : [])
    const task = { reporterId: 7, ownerId: 8, projectStatus, role: 'member' as const }
    const decide = () => assertMayDelete(task, { id, permissions, isAdministrator: false })
    if (who === 'its assignee') expect(refusalOf(decide)).toMatchObject({ type: 'NOT_OWNER', status: 403 })
    else if (projectStatus === 'ARCHIVED') expect(refusalOf(decide)).toMatchObject({ type: 'PROJECT_ARCHIVED' })
    else expect(decide).not.toThrow()
  })
})
