import { createHash } from 'node:crypto'
import type { Tx } from '../src/data/tx/scope.ts'
import {
  cancelApproval,
  createApproval,
  decideApproval,
  submitApproval,
} from '../src/domains/approvals/approvals.actions.ts'
import { keepUpload } from '../src/domains/files/files.actions.ts'
import { extensionOf } from '../src/domains/files/files.rules.ts'
import { KINDS } from '../src/domains/files/magic.ts'
import type { Storage } from '../src/domains/files/storage/storage.ts'
import { assignToDepartment, createDepartment } from '../src/domains/organization/organization.actions.ts'
import { bytesOf } from './papers.ts'
import { keep, type Memory, nameIn } from './recall.ts'
import type { OfficeDeed, Step } from './story.ts'

/** What people of the office do, but for the files: their bytes come before the transaction. */
export async function actInOffice(
  tx: Tx,
  step: Step & Exclude<OfficeDeed, { does: 'upload file' }>,
  { departments, approvals }: Memory,
  idOf: (username: string) => number,
): Promise<void> {
  switch (step.does) {
    case 'create department': {
      const { department: code, name, parent, leader, sort } = step
      const parentId = parent === null ? null : departments.get(nameIn(step, parent))!.id
      const draft = { code, name, parentId, leaderId: idOf(leader), sort, status: 'active' as const }
      return keep(departments, nameIn(step, code), await createDepartment(tx, draft))
    }
    case 'join department':
      return assignToDepartment(tx, departments.get(nameIn(step, step.department))!.id, idOf(step.member))
    case 'draft approval': {
      const { approval: businessKey, type, title, payload, department } = step
      const departmentId = departments.get(nameIn(step, department))!.id
      const made = await createApproval(tx, { businessKey, type, title, payload, departmentId })
      return keep(approvals, nameIn(step, businessKey), made)
    }
    case 'move approval': {
      const { id } = approvals.get(nameIn(step, step.approval))!
      return void (await (step.move === 'submit' ? submitApproval(tx, id) : cancelApproval(tx, id)))
    }
    case 'decide approval': {
      const { id } = approvals.get(nameIn(step, step.approval))!
      return void (await decideApproval(tx, id, step.move, step.comment))
    }
    default:
      return step satisfies never
  }
}

/** Uploads a file as the route does: its bytes through the spool into the storage, then its row by `enter`. */
export async function upload(
  storage: Storage,
  tenantId: number,
  { file: originalName, holds }: Extract<OfficeDeed, { does: 'upload file' }>,
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
    await keepUpload(storage, tenantId, received, enter)
  } finally {
    await spooled.discard()
  }
}
