import {
  arrayQuery,
  type Expected,
  Instant,
  idInPathOf,
  idOf,
  inOneLine,
  Keyword,
  keptText,
  patchOf,
  ReadVersion,
  sortBy,
  text,
  view,
  z,
} from '#atrium'

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
    businessKey: inOneLine(keptText(128)),
    departmentId: idOf('departments').nullish(),
    payload: z.string().max(10_000).nullish(),
  })
  .meta({ id: 'ApprovalDraft' })
export type ApprovalDraft = z.output<typeof ApprovalDraft>

export const ApprovalPatch = patchOf(ApprovalDraft).extend({ version: ReadVersion }).meta({ id: 'ApprovalPatch' })
export type ApprovalPatch = z.output<typeof ApprovalPatch> & Expected

/** A decision with an optional comment; clients may send no body. */
export const Decision = z
  .object({ comment: keptText(1000) })
  .meta({ id: 'ApprovalDecision', examples: [{ comment: 'Within the budget' }] })
  .nullish()

/** Who shall decide the first step from now on. */
export const Reassignment = z
  .object({ userId: idOf('users') })
  .meta({ id: 'ApprovalReassignment', examples: [{ userId: 9 }] })

export const ApprovalQuery = arrayQuery({
  scope: z.enum(['mine', 'todo', 'all']).optional(),
  status: ApprovalStatus.optional(),
  keyword: Keyword.describe('Searches title, type and business key'),
  departmentId: idInPathOf('departments').optional(),
  applicantId: idInPathOf('users').optional(),
  from: Instant.optional().describe('Drafted at this instant or later'),
  to: Instant.optional().describe('Drafted at this instant or earlier'),
  sort: sortBy(),
})

const approverType = z.enum(['DEPARTMENT_MANAGER', 'ADMIN'])

export const StepView = z
  .object({
    id: view.id,
    stepOrder: z.number().int(),
    approverType,
    approverId: view.maybeId,
    approverName: view.maybePerson,
    status: StepStatus,
    actedBy: view.maybeId,
    actedByName: view.maybePerson,
    comment: view.maybeText,
    actedAt: view.maybeInstant,
    decidedForId: view.maybeId.describe('The approver for whom a substitute decided'),
    decidedForName: view.maybePerson,
    reassigned: z.boolean().describe('An administrator passed the step to its approver'),
  })
  .meta({
    id: 'ApprovalStep',
    examples: [
      {
        id: 31,
        stepOrder: 1,
        status: 'PENDING',
        approverId: 9,
        approverName: 'Grace Hopper',
        actedBy: null,
        reassigned: false,
      },
    ],
  })
export type StepView = z.output<typeof StepView>

/** Whom a request waits for now: one person, or any administrator. */
export const WaitingFor = z.object({ approverType, approverId: view.maybeId, approverName: view.maybePerson }).meta({
  id: 'ApprovalWaitingFor',
  examples: [{ approverType: 'DEPARTMENT_MANAGER', approverId: 9, approverName: 'Grace Hopper' }],
})
export type WaitingFor = z.output<typeof WaitingFor>

export const ApprovalView = z
  .object({
    id: view.id,
    type: view.text,
    title: view.text,
    businessKey: view.maybeText,
    applicantId: view.id,
    applicantName: view.person,
    departmentId: view.maybeId,
    departmentName: view.maybeText.describe('The name of the department when the request last named it'),
    status: ApprovalStatus,
    currentStep: z.number().int(),
    payload: view.maybeText,
    version: view.version,
    steps: z.array(StepView),
    waitingFor: WaitingFor.nullable().describe(
      'The leader; any administrator if the leader cannot act, and at the second step; null unless it is PENDING',
    ),
    substituteId: view.maybeId.describe('Who may decide it today beside the person for whom it waits'),
    substituteName: view.maybePerson,
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
        departmentName: 'Engineering',
        status: 'PENDING',
        currentStep: 1,
        payload: '{"amount":2400}',
        version: 1,
        submittedAt: '2026-11-21T09:30:00.000Z',
        applicantId: 7,
        applicantName: 'Ada Lovelace',
      },
    ],
  })
export type ApprovalView = z.output<typeof ApprovalView>
