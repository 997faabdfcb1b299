import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { fail, faults, IdParams, pageRequestOf, seesEverything, type User, z } from '#atrium'
import { cancelApproval, createApproval, decideApproval, submitApproval, updateApproval } from './approvals.actions.ts'
import { approvalFaults, asView } from './approvals.rules.ts'
import { ApprovalDraft, ApprovalPatch, ApprovalQuery, ApprovalView, Decision } from './approvals.schemas.ts'
import {
  type ApprovalFilter,
  approvalsSeenBy,
  findApproval,
  listApprovals,
  type SeesApprovals,
} from './approvals.store.ts'

/** Requests that wait for two decisions: the department's leader's, then any administrator's. */
export const approvalRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/approvals',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'listApprovals',
        summary: 'List the approvals I may see',
        description:
          'My own, those that wait for me, those I decided; for administrators all. `scope` narrows it to mine or todo. What an administrator has to do is looked for among 100 000 that wait at a time, and counted no further; `Link` leads on.',
        querystring: ApprovalQuery,
        response: { 200: z.array(ApprovalView) },
      },
    },
    async (req, reply) => {
      const { scope = 'all', status } = req.query
      const filter = { ...scopeOf(scope, req.user), ...(status && { status }) }
      const listing = await listApprovals(req.scope, filter, pageRequestOf(req.query))
      return reply.list({ ...listing, rows: listing.rows.map(asView) })
    },
  )

  app.get(
    '/approvals/:id',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'getApproval',
        summary: 'Read an approval',
        description: 'For its applicant, for those it waits for or who decided it, and for administrators.',
        params: IdParams,
        sends: ['ETag'],
        response: { 200: ApprovalView },
      },
    },
    async (req, reply) => {
      const approval = await findApproval(req.scope, { id: req.params.id, ...approvalsSeenBy(req.user) })
      return reply.versioned(asView(approval ?? fail(approvalFaults.notFound())))
    },
  )

  app.post(
    '/approvals',
    {
      config: { access: 'approval:create' },
      schema: {
        operationId: 'createApproval',
        summary: 'Draft an approval',
        description: 'A draft belongs to its applicant until it is submitted. `payload` is kept as it comes.',
        body: ApprovalDraft,
        response: { 201: ApprovalView },
        sends: ['Location'],
        refuses: [approvalFaults.departmentNotFound, faults.notInTenant],
      },
    },
    async (req, reply) => {
      const approval = await req.transact((tx) => createApproval(tx, req.body))
      return reply.created(`/approvals/${approval.id}`, reply.versioned(approval))
    },
  )

  app.put(
    '/approvals/:id',
    {
      config: { access: 'approval:create', versionIn: 'body' },
      schema: {
        operationId: 'updateApproval',
        summary: 'Change a draft',
        description:
          'By its applicant, until it is submitted. Fields left out stay; `version` is the one that was read, and rises by 1.',
        params: IdParams,
        body: ApprovalPatch,
        response: { 200: ApprovalView },
        refuses: [
          approvalFaults.departmentNotFound,
          approvalFaults.notApplicant,
          approvalFaults.illegalMove,
          approvalFaults.changed,
        ],
      },
    },
    async (req, reply) => {
      const patch = { ...req.body, ifMatch: req.ifMatch }
      return reply.versioned(await req.transact((tx) => updateApproval(tx, req.params.id, patch)))
    },
  )

  app.post(
    '/approvals/:id/submit',
    {
      config: { access: 'approval:create', idempotent: true, counts: 'approval_submitted' },
      schema: {
        operationId: 'submitApproval',
        summary: 'Submit an approval',
        description:
          'By its applicant, for a department that is in use and has a leader. Where the leader cannot act, it waits for the administrators. Needs an Idempotency-Key.',
        params: IdParams,
        response: { 200: ApprovalView },
        refuses: [
          approvalFaults.departmentNotFound,
          approvalFaults.departmentDisabled,
          approvalFaults.departmentRequired,
          approvalFaults.departmentHasNoLeader,
          approvalFaults.notApplicant,
          approvalFaults.illegalMove,
        ],
      },
    },
    (req) => req.transact((tx) => submitApproval(tx, req.params.id)),
  )

  for (const action of ['approve', 'reject'] as const) {
    app.post(
      `/approvals/:id/${action}`,
      {
        config: { access: 'approval:action', counts: action === 'approve' ? 'approval_approved' : 'approval_rejected' },
        schema: {
          operationId: `${action}Approval`,
          summary: action === 'approve' ? 'Approve the open step' : 'Reject at the open step',
          description:
            'First the leader of the department, or any administrator where that one cannot act; then any administrator. `waitingFor` says who. Whoever comes second finds it decided.',
          params: IdParams,
          body: Decision,
          response: { 200: ApprovalView },
          refuses: [approvalFaults.notCurrentApprover, approvalFaults.illegalMove, faults.notInTenant],
        },
      },
      (req) => req.transact((tx) => decideApproval(tx, req.params.id, action, req.body?.comment ?? null)),
    )
  }

  app.post(
    '/approvals/:id/cancel',
    {
      config: { access: 'approval:create' },
      schema: {
        operationId: 'cancelApproval',
        summary: 'Take an approval back',
        description:
          'By its applicant, while it is a draft or open. Open steps are cancelled, and who was to decide is told.',
        params: IdParams,
        response: { 200: ApprovalView },
        refuses: [approvalFaults.notApplicant, approvalFaults.illegalMove],
      },
    },
    (req) => req.transact((tx) => cancelApproval(tx, req.params.id)),
  )
}

function scopeOf(scope: 'all' | 'mine' | 'todo', user: User): SeesApprovals & ApprovalFilter {
  if (scope === 'all') return approvalsSeenBy(user)
  const own = seesEverything('what is theirs, or waits for their decision, they see')
  if (scope === 'mine') return { ...own, applicantId: user.id }
  return { ...own, approverId: user.id, ...(user.isAdministrator && { orAdministrators: true as const }) }
}
