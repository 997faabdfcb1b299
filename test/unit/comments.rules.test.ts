import { describe, expect, test } from 'vitest'
import * as blog from '../../src/domains/comments/comments.rules.ts'
import * as tasks from '../../src/domains/tasks/comments/task-comments.rules.ts'
import type { Permission } from '../../src/kernel/access.ts'
import type { Fault } from '../../src/kernel/fault.ts'

const [AUTHOR, OWNER, OTHER] = [7, 8, 9]
const person = (id: number, ...permissions: Permission[]) => ({ id, permissions: new Set(permissions) })
const outcomeOf = (act: () => void) => {
  try {
    act()
    return 'done'
  } catch (error) {
    return (error as Fault).type
  }
}

/** Who is answered what, in the order: edit, delete, and both of a deleted comment. */
describe('a comment on a task', () => {
  const people = {
    author: person(AUTHOR),
    'author who owns the project': person(AUTHOR),
    'author who manages all': person(AUTHOR, 'project:manage'),
    owner: person(OWNER),
    manager: person(OTHER, 'project:manage'),
    'editor of articles': person(OTHER, 'content:update'),
    'somebody else': person(OTHER),
  }
  test.each<[keyof typeof people, edit: string, remove: string]>([
    ['author', 'done', 'done'],
    ['author who owns the project', 'done', 'done'],
    ['author who manages all', 'done', 'done'],
    ['owner', 'NOT_AUTHOR', 'done'],
    ['manager', 'NOT_AUTHOR', 'done'],
    ['editor of articles', 'NOT_AUTHOR', 'NOT_AUTHOR'],
    ['somebody else', 'NOT_AUTHOR', 'NOT_AUTHOR'],
  ])('of the %s: edit is answered %s, delete %s, and of a deleted one both NOT_FOUND', (who, edit, remove) => {
    const ownerId = who === 'author who owns the project' ? AUTHOR : OWNER
    const comment = { authorId: AUTHOR, ownerId, deletedAt: null as string | null }
    const answer = (deed: tasks.Deed) => outcomeOf(() => tasks.assertMayChange(comment, deed, people[who]))
    expect([answer('edit'), answer('delete')]).toEqual([edit, remove])
    comment.deletedAt = '2026-11-28T08:00:00.000Z'
    expect([answer('edit'), answer('delete')]).toEqual(['NOT_FOUND', 'NOT_FOUND'])
  })

  test('is quoted by its first two hundred characters', () => {
    expect(tasks.quoteOf(`${'🎉'.repeat(199)}ab`)).toBe(`${'🎉'.repeat(199)}a`)
  })
})

describe('a comment on an article', () => {
  const people = {
    author: person(AUTHOR),
    editor: person(OTHER, 'content:update'),
    'author who edits articles': person(AUTHOR, 'content:update'),
    'manager of projects': person(OTHER, 'project:manage'),
    'somebody else': person(OTHER),
  }
  test.each<[keyof typeof people, 'published' | 'hidden', edit: string, remove: string]>([
    ['author', 'published', 'done', 'done'],
    ['author', 'hidden', 'done', 'done'],
    ['editor', 'published', 'NOT_AUTHOR', 'done'],
    ['editor', 'hidden', 'NOT_AUTHOR', 'done'],
    ['author who edits articles', 'published', 'done', 'done'],
    ['author who edits articles', 'hidden', 'done', 'done'],
    ['manager of projects', 'published', 'NOT_AUTHOR', 'NOT_AUTHOR'],
    ['manager of projects', 'hidden', 'NOT_FOUND', 'NOT_FOUND'],
    ['somebody else', 'published', 'NOT_AUTHOR', 'NOT_AUTHOR'],
    ['somebody else', 'hidden', 'NOT_FOUND', 'NOT_FOUND'],
  ])('by the %s, while it is %s: edit is answered %s, delete %s, and of a deleted one both NOT_FOUND', (...row) => {
    const [who, status, edit, remove] = row
    const comment = { userId: AUTHOR, status, deletedAt: null as string | null }
    const answer = (deed: blog.Deed) => outcomeOf(() => blog.assertMayChange(comment, deed, people[who]))
    expect([answer('edit'), answer('delete')]).toEqual([edit, remove])
    comment.deletedAt = '2026-11-28T08:00:00.000Z'
    expect([answer('edit'), answer('delete')]).toEqual(['NOT_FOUND', 'NOT_FOUND'])
  })
})
