import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  cancelApproval,
  createApproval,
  decideApproval,
  submitApproval,
} from '../src/domains/approvals/approvals.actions.ts'
import { checkOut } from '../src/domains/checkout/checkout.actions.ts'
import * as blog from '../src/domains/comments/comments.actions.ts'
import { createArticle, createCategory } from '../src/domains/content/content.actions.ts'
import { keepUpload, placeFile } from '../src/domains/files/files.actions.ts'
import { extensionOf } from '../src/domains/files/files.rules.ts'
import type { Storage } from '../src/domains/files/storage/storage.ts'
import { KINDS } from '../src/domains/files/uploads/magic.ts'
import { markAllRead } from '../src/domains/notifications/notifications.store.ts'
import { assignToDepartment, createDepartment } from '../src/domains/organization/organization.actions.ts'
import { receiveMessage, replaceSection } from '../src/domains/portal/portal.actions.ts'
import { putMember } from '../src/domains/projects/members/members.actions.ts'
import { archiveProject, createProject, updateProject } from '../src/domains/projects/projects.actions.ts'
import { deleteTask } from '../src/domains/tasks/bin/bin.actions.ts'
import { addComment, deleteComment, editComment } from '../src/domains/tasks/comments/task-comments.actions.ts'
import { createTask, updateTask } from '../src/domains/tasks/tasks.actions.ts'
import { instantOf } from './calendar.ts'
import { type Found, findTaskComment } from './found.ts'
import { bytesOf } from './papers.ts'
import { parts } from './parts.ts'
import type { Does, Step } from './steps.ts'
import type { Known, Way } from './way.ts'

/** How each thing is done, and how to see that it was. */
const DEEDS: { [D in Does]?: Way<D> } = {
  'create project': {
    about: projectOf,
    act: (tx, { project: code, name, description, startDate, endDate }) =>
      createProject(tx, { code, name, description, startDate, endDate }),
  },
  'add member': {
    act: (tx, step, { the, person }) => putMember(tx, the(projectOf(step)).id, person(step.member), step.role),
  },
  'extend project': {
    about: projectOf,
    act: (tx, step, { the }) => {
      const { id, version } = the(projectOf(step))
      return updateProject(tx, id, { version, endDate: step.endDate })
    },
  },
  'archive project': {
    about: projectOf,
    act: (tx, step, { the }) => {
      const { id, version } = the(projectOf(step))
      return archiveProject(tx, id, { version })
    },
  },
  'create task': {
    about: taskOf,
    act: (tx, step, { the, person }) => {
      const { title, description, priority, dueDate, assignee } = step
      const assigneeId = assignee && person(assignee)
      return createTask(tx, the(projectOf(step)).id, { title, description, priority, dueDate, assigneeId } as never)
    },
  },
  'update task': {
    about: taskOf,
    act: (tx, step, { the, person }) => {
      const { id, version } = the(taskOf(step))
      const { assignee, ...change } = step.patch
      return updateTask(tx, id, { ...change, version, ...(assignee && { assigneeId: person(assignee) }) })
    },
  },
  'delete task': {
    act: (tx, step, { the }) => {
      const { id, version } = the(taskOf(step))
      return deleteTask(tx, id, { version })
    },
  },
  comment: {
    act: (tx, step, { the, person }) => {
      const draft = { content: step.content, mentions: step.mentions?.map(person) }
      return addComment(tx, the(taskOf(step)).id, draft)
    },
  },
  'change comment': {
    act: async (tx, step, { the }) => {
      const { content, instead } = step
      const { id } = the(taskOf(step))
      const { id: commentId } = (await findTaskComment(tx, { taskId: id, authorId: tx.actor.id, content }))!
      const place = { id, commentId }
      return instead === null ? deleteComment(tx, place) : editComment(tx, place, { content: instead })
    },
  },
  'read the inbox': { act: (tx) => markAllRead(tx, { receiverId: tx.actor.id }) },
  'create department': {
    about: departmentOf,
    left: ({ department }, { departments }) => departments.get(department),
    act: (tx, { department: code, name, parent, leader, sort }, { the, person }) => {
      const parentId = parent === null ? null : the(`department ${parent}`).id
      return createDepartment(tx, { code, name, parentId, leaderId: person(leader), sort, status: 'active' })
    },
  },
  'join department': {
    left: ({ department, member }, { memberships }) => memberships.has(`${department} ${member}`),
    act: (tx, step, { the, person }) => assignToDepartment(tx, the(departmentOf(step)).id, person(step.member)),
  },
  'draft approval': {
    about: approvalOf,
    left: ({ approval }, { approvals }) => approvals.get(approval),
    act: (tx, step, { the }) => {
      const { approval: businessKey, type, title, payload } = step
      return createApproval(tx, { businessKey, type, title, payload, departmentId: the(departmentOf(step)).id })
    },
  },
  'move approval': {
    left: isSoFar,
    act: (tx, step, { the }) => {
      const { id } = the(approvalOf(step))
      return step.move === 'submit' ? submitApproval(tx, id) : cancelApproval(tx, id)
    },
  },
  'decide approval': {
    left: isSoFar,
    act: (tx, step, { the }) => decideApproval(tx, the(approvalOf(step)).id, step.move, step.comment),
  },
  'upload file': {
    left: ({ file }, { files }) => files.has(file),
    act: () => {
      throw new Error('A file is uploaded, not entered')
    },
  },
  'write section': {
    left: ({ section, content }, { sections }) => isDeepStrictEqual(sections.get(section)?.content, content),
    act: (tx, { section, content }) => replaceSection(tx, section, content),
  },
  'create category': {
    about: ({ slug }) => `category ${slug}`,
    left: ({ slug }, { categories }) => categories.get(slug),
    act: (tx, { slug, name, description }) => createCategory(tx, { slug, name, description, status: 'active' }),
  },
  'write article': {
    about: articleOf,
    left: ({ article }, { articles }) => articles.get(article),
    act: (tx, { article: title, category, author = null, summary, tags, content, status }, { the }) => {
      const categoryId = the(`category ${category}`).id
      return createArticle(tx, { title, categoryId, summary, tags, content, status, author, cover: null })
    },
  },
  'comment article': {
    about: commentOf,
    left: ({ comment }, { comments }) => comments.get(comment),
    act: (tx, step, { the }) => blog.addComment(tx, the(articleOf(step)).id, step.content),
  },
  'change blog comment': {
    left: ({ comment, instead }, { comments }) => comments.get(comment)?.content === (instead ?? ''),
    act: (tx, step, { the }) => {
      const place = { id: the(articleOf(step)).id, commentId: the(commentOf(step)).id }
      return step.instead === null ? blog.deleteComment(tx, place) : blog.editComment(tx, place, step.instead)
    },
  },
  'hide comment': {
    left: ({ comment }, { comments }) => comments.get(comment)?.status === 'hidden',
    act: (tx, step, { the }) => blog.moderateComment(tx, the(commentOf(step)).id, 'hidden'),
  },
  'leave message': {
    left: ({ email }, { messages }) => messages.has(email),
    act: (tx, step) => receiveMessage(tx, step),
  },
  'check out': {
    left: ({ by, planId, channel, isOpen, at }, { orders }) =>
      orders.has(isOpen ? `${by} ${planId} ${channel}` : `${by} ${instantOf(at)}`),
    act: (tx, step) => checkOut(tx, step, 'en'),
  },
}

for (const { ways } of parts) Object.assign(DEEDS, ways)

/** Whether anything here knows how to do it. */
export function isKnown({ does }: Step): boolean {
  return does in DEEDS
}

/** The way to do a step of any kind that is known. */
export function wayOf(step: Step): Way<Does> {
  return DEEDS[step.does] as Way<Does>
}

function projectOf({ project }: { project: string }): string {
  return `project ${project}`
}
function taskOf({ task }: { task: string }): string {
  return `task ${task}`
}
function departmentOf({ department }: { department: string }): string {
  return `department ${department}`
}
function approvalOf({ approval }: { approval: string }): string {
  return `approval ${approval}`
}
function articleOf({ article }: { article: string }): string {
  return `article ${article}`
}
function commentOf({ comment }: { comment: string }): string {
  return `comment ${comment}`
}
function isSoFar({ approval, version }: { approval: string; version: number }, { approvals }: Found): boolean {
  return (approvals.get(approval)?.version ?? -1) >= version
}

/** What a file belongs to, if to anything. */
function resourceOf({ task, approval, article }: Omit<Step<'upload file'>, 'file' | 'holds'>, the: Known['the']) {
  if (task) return { resourceType: 'task', resourceId: the(taskOf({ task })).id }
  if (approval) return { resourceType: 'approval', resourceId: the(approvalOf({ approval })).id }
  return article ? { resourceType: 'article', resourceId: the(articleOf({ article })).id } : undefined
}

/** Uploads a file as the route does, its bytes through the spool into the storage, and attaches it. */
export async function upload(
  storage: Storage,
  tenantId: number,
  { file: originalName, holds, ...thing }: Step<'upload file'>,
  { the }: Known,
  enter: Parameters<typeof keepUpload>[3],
): Promise<void> {
  const bytes = bytesOf(holds)
  const extension = extensionOf(originalName)
  const { contentType } = KINDS.get(extension)!
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const spooled = await storage.spool.open(tenantId)
  try {
    await spooled.write(bytes)
    await spooled.finish()
    const received = { path: spooled.path, originalName, extension, contentType, size: bytes.length, sha256 }
    await keepUpload(storage, tenantId, received, (enterFile) =>
      enter(async (tx) => {
        const file = await enterFile(tx)
        const attached = resourceOf(thing, the)
        return attached ? placeFile(tx, file.key.split('/')[1]!, attached) : file
      }),
    )
  } finally {
    await spooled.discard()
  }
}
