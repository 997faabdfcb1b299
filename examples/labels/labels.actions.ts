import { changesBetween, nextId, type Tx } from 'atrium'
import { assertActive, assertMayChange, projectsSeenBy, stillActive } from 'atrium/projects'
import { loadInvolved } from 'atrium/tasks'
import { LABEL_FIELDS } from './labels.events.ts'
import { labelFaults, reviseLabel } from './labels.rules.ts'
import type { LabelDraft, LabelPatch, LabelView } from './labels.schemas.ts'
import { attach, detach, getLabel, getLabelledTask, insertLabel, removeLabel, saveLabel } from './labels.store.ts'

/** Creates a label. @throws LABEL_NAME_TAKEN */
export async function createLabel(tx: Tx, draft: LabelDraft): Promise<LabelView> {
  const id = await nextId(tx, 'labels')
  const label = { id, ...draft, version: 0, createdAt: tx.now, updatedAt: tx.now }
  insertLabel(tx, label)
  const history = { subject: { type: 'label', id }, action: 'LABEL_CREATED', newValue: label.name, version: 0 } as const
  tx.record({ event: 'label.created', subject: id, data: draft, history })
  return label
}

/** Changes a label. @throws NOT_FOUND, PRECONDITION_FAILED, VERSION_CONFLICT, LABEL_NAME_TAKEN */
export async function updateLabel(tx: Tx, id: number, patch: LabelPatch): Promise<LabelView> {
  const label = await getLabel(tx, { id })
  const revised = reviseLabel(label, patch, tx.now)
  saveLabel(tx, { ...revised, was: label.version })
  const { version } = revised
  tx.record({
    event: 'label.updated',
    subject: id,
    data: { version, changes: changesBetween(label, revised, LABEL_FIELDS) },
    history: {
      subject: { type: 'label', id },
      action: 'LABEL_UPDATED',
      oldValue: label.name,
      newValue: revised.name,
      version,
    },
  })
  return revised
}

/** Deletes a label. The tasks that had it stay. @throws NOT_FOUND */
export async function deleteLabel(tx: Tx, id: number): Promise<void> {
  const [label] = (await removeLabel(tx, { id })).rows
  if (!label) throw labelFaults.notFound()
  const { name, version } = label
  tx.record({
    event: 'label.deleted',
    subject: id,
    data: { name },
    history: { subject: { type: 'label', id }, action: 'LABEL_DELETED', oldValue: name, version: version + 1 },
  })
}

/** Gives a task a label. Repeating it changes nothing. @throws NOT_FOUND (task, label), PROJECT_READ_ONLY, PROJECT_ARCHIVED */
export async function attachLabel(tx: Tx, taskId: number, labelId: number): Promise<LabelView> {
  const [{ task, label }, involved] = await Promise.all([load(tx, taskId, labelId), loadInvolved(tx, taskId)])
  stillActive(tx, { id: task.projectId, ...projectsSeenBy(tx.actor) })
  const { affected } = await attach(tx, { taskId, labelId, createdAt: tx.now })
  if (affected === 0) return label
  const { projectId, version } = task
  tx.record({
    event: 'task.labelled',
    subject: taskId,
    data: { projectId, labelId, name: label.name },
    history: { projectId, taskId, action: 'LABEL_ATTACHED', newValue: label.name, version },
  })
  tx.notify({
    type: 'TASK_LABELLED',
    facts: { title: task.title, label: label.name },
    resourceType: 'task',
    resourceId: taskId,
    receivers: involved(task),
  })
  return label
}

/** Removes a label from a task. If the task does not have it, nothing changes. @throws NOT_FOUND (task, label), PROJECT_READ_ONLY, PROJECT_ARCHIVED */
export async function detachLabel(tx: Tx, taskId: number, labelId: number): Promise<void> {
  const { task, label } = await load(tx, taskId, labelId)
  stillActive(tx, { id: task.projectId, ...projectsSeenBy(tx.actor) })
  const { affected } = await detach(tx, { taskId, labelId })
  if (affected === 0) return
  const { projectId, version } = task
  tx.record({
    event: 'task.unlabelled',
    subject: taskId,
    data: { projectId, labelId, name: label.name },
    history: { projectId, taskId, action: 'LABEL_DETACHED', oldValue: label.name, version },
  })
}

/** Loads a label, and a task that the actor may change in a project that is not archived. */
async function load(tx: Tx, taskId: number, labelId: number) {
  const [task, label] = await Promise.all([
    getLabelledTask(tx, { id: taskId, ...projectsSeenBy(tx.actor) }),
    getLabel(tx, { id: labelId }),
  ])
  assertMayChange(task.role, tx.actor)
  assertActive({ status: task.projectStatus })
  return { task, label }
}
