import { z } from 'zod'
import { arrayQuery } from '../../kernel/page.ts'
import { idOf, optionalText, text, view } from '../../kernel/zod.ts'

export const ApprovalStatus = z
  .enum(['DRAFT', 'PENDING', 'APPROVED', 'REJECTED', 'CANCELLED'])
  .meta({ id: 'ApprovalStatus' })
export type ApprovalStatus = z.infer<typeof ApprovalStatus>
export const StepStatus = z
  .enum(['WAITING', 'PENDING', 'APPROVED', 'REJECTED', 'CANCELLED'])
  .meta({ id: 'ApprovalStepStatus' })

export const ApprovalDraft = z
  .object({
    type: text(64),
    title: text(255),
    businessKey: optionalText(128),
    departmentId: idOf('departments').nullish(),
    payload: z.string().max(10_000).nullish(),
  })
  .meta({ id: 'ApprovalDraft' })
export type ApprovalDraft = z.output<typeof ApprovalDraft>

/** A decision may come with a word; clients also send nothing at all. */
export const Decision = z
  .object({ comment: optionalText(1000) })
  .meta({ id: 'ApprovalDecision', examples: [{ comment: 'Within the budget' }] })
  .nullish()

export const ApprovalQuery = arrayQuery({
  scope: z.enum(['mine', 'todo', 'all']).optional(),
  status: ApprovalStatus.optional(),
})

export const StepView = z
  .object({
    id: view.id,
    stepOrder: z.number().int(),
    approverType: z.enum(['DEPARTMENT_MANAGER', 'ADMIN']),
    approverId: view.maybeId,
    status: StepStatus,
    actedBy: view.maybeId,
    comment: view.maybeText,
    actedAt: view.maybeInstant,
  })
  .meta({ id: 'ApprovalStep', examples: [{ id: 31, stepOrder: 1, status: 'PENDING', approverId: 9, actedBy: null }] })
export type StepView = z.output<typeof StepView>

export const ApprovalView = z
  .object({
    id: view.id,
    type: view.text,
    title: view.text,
    businessKey: view.maybeText,
    applicantId: view.id,
    departmentId: view.maybeId,
    status: ApprovalStatus,
    currentStep: z.number().int(),
    payload: view.maybeText,
    version: z.number().int(),
    steps: z.array(StepView),
    createdAt: view.instant,
    updatedAt: view.instant,
    submittedAt: view.maybeInstant,
    completedAt: view.maybeInstant,
  })
  .meta({
    id: 'Approval',
    examples: [
      {
        id: 12,
        type: 'purchase',
        title: 'Two notebooks for the new colleagues',
        businessKey: 'PO-2026-117',
        departmentId: 3,
        status: 'PENDING',
        currentStep: 1,
        payload: '{"amount":2400}',
        version: 1,
        submittedAt: '2026-11-21T09:30:00.000Z',
        applicantId: 7,
      },
    ],
  })
export type ApprovalView = z.output<typeof ApprovalView>
