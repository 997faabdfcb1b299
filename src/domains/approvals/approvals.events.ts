import { changesOf, event, view, z } from '#atrium'
import { ApprovalView } from './approvals.schemas.ts'

export const APPROVAL_FIELDS = ['type', 'title', 'businessKey', 'departmentId', 'payload'] as const

const Request = ApprovalView.pick({
  type: true,
  title: true,
  businessKey: true,
  applicantId: true,
  departmentId: true,
  version: true,
})
const request = {
  type: 'purchase',
  title: 'New laptops',
  businessKey: 'PO-4711',
  applicantId: 7,
  departmentId: 3,
  version: 1,
}

const Version = z.object({ version: view.version })

export const approvalEvents = {
  'approval.created': event('A request was drafted.', Request, { ...request, version: 0 }),
  'approval.updated': event('A draft was changed.', Request.extend({ changes: changesOf(APPROVAL_FIELDS) }), {
    ...request,
    changes: [{ field: 'title', from: 'Laptops', to: 'New laptops' }],
  }),
  'approval.submitted': event('A request was submitted.', Request, request),
  'approval.step_approved': event('The first step of a request was approved; administrators decide next.', Request, {
    ...request,
    version: 2,
  }),
  'approval.approved': event('A request was approved at its last step.', Request, { ...request, version: 3 }),
  'approval.rejected': event('A request was rejected.', Request, { ...request, version: 3 }),
  'approval.cancelled': event('A request was cancelled by its applicant.', Request, { ...request, version: 3 }),
  'approval.reassigned': event(
    'An administrator passed the first step of a request to somebody else.',
    Version.extend({ from: view.maybeId, to: view.id }),
    { version: 2, from: 9, to: 12 },
  ),
  'approval.handed_over': event(
    'A request that waits went from one person to another, who decides it or is its applicant now.',
    Version.extend({ from: view.id, to: view.id }),
    { version: 2, from: 9, to: 12 },
  ),
} as const
