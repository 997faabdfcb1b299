import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { containing, type FastifyRequest, faults, IdParams, pageRequestOf, seesEverything, z } from '#atrium'
import { cancelApproval, createApproval, decideApproval, submitApproval, updateApproval } from './approvals.actions.ts'
import { approvalFaults, assertAdministrator, asView } from './approvals.rules.ts'
import {
  ApprovalDraft,
  ApprovalPatch,
  ApprovalQuery,
  ApprovalView,
  Decision,
  Reassignment,
} from './approvals.schemas.ts'
import {
  type ApprovalFilter,
  approvalsSeenBy,
  getApproval,
  listApprovals,
  type SeesApprovals,
} from './approvals.store.ts'
import { standIns } from './deciders.store.ts'
import { reassignApproval } from './passing/reassign.actions.ts'

const { departmentNotFound, illegalMove, notApplicant } = approvalFaults

/** Requests need two decisions: the department leader's, then any administrator's. */
export const approvalRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/approvals',
    {
      config: { access: 'signed-in', list: 'approvals' },
      schema: {
        operationId: 'listApprovals',
        summary: 'List the approvals I may see',
        description:
          'The requests that the caller made, has to decide or has decided; administrators see all. `scope` narrows it to mine or todo. For an administrator, todo examines 100 000 waiting requests at a time and counts no further; `Link` continues after them.',
        querystring: ApprovalQuery,
        response: { 200: z.array(ApprovalView) },
      },
    },
    async (req, reply) => {
      const { status, departmentId, applicantId, from, to, keyword } = req.query
      const pattern = keyword && containing(keyword)
      const scope = await scopeOf(req, req.query.scope)
      const filter = { ...scope, status, departmentId, applicantId, from, to, pattern }
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
        description: 'Visible to its applicant, to the people it waits for or who decided it, and to administrators.',
        params: IdParams,
        sends: ['ETag'],
        response: { 200: ApprovalView },
      },
    },
    async (req, reply) => {
      const approval = await getApproval(req.scope, { id: req.params.id, ...approvalsSeenBy(req.user) })
      return reply.versioned(asView(approval))
    },
  )

  app.post(
    '/approvals',
    {
      config: { access: 'approval:create' },
      schema: {
        operationId: 'createApproval',
        summary: 'Draft an approval',
        description:
          'Only its applicant and administrators see a draft until it is submitted. `payload` is stored unchanged.',
        body: ApprovalDraft,
        response: { 201: ApprovalView },
        sends: ['Location'],
        refuses: [departmentNotFound, faults.notInTenant],
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
          'Only by its applicant, until it is submitted. Omitted fields stay. `version` is the version that was read; it rises by 1.',
        params: IdParams,
        body: ApprovalPatch,
        response: { 200: ApprovalView },
        refuses: [departmentNotFound, notApplicant, illegalMove, approvalFaults.changed],
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
      config: { access: 'approval:create', idempotent: true, counts: 'approval_submitted', versionIn: 'nowhere' },
      schema: {
        operationId: 'submitApproval',
        summary: 'Submit an approval',
        description:
          'Only by its applicant, for an active department that has a leader. If the leader cannot act, the request waits for the administrators. Needs an Idempotency-Key.',
        params: IdParams,
        response: { 200: ApprovalView },
        refuses: [
          departmentNotFound,
          approvalFaults.departmentDisabled,
          approvalFaults.departmentRequired,
          approvalFaults.departmentHasNoLeader,
          notApplicant,
          illegalMove,
        ],
      },
    },
    async (req, reply) => reply.versioned(await req.transact((tx) => submitApproval(tx, req.params.id, req))),
  )

  for (const action of ['approve', 'reject'] as const) {
    app.post(
      `/approvals/:id/${action}`,
      {
        config: {
          access: 'approval:action',
          counts: action === 'approve' ? 'approval_approved' : 'approval_rejected',
          versionIn: 'nowhere',
        },
        schema: {
          operationId: `${action}Approval`,
          summary: action === 'approve' ? 'Approve the open step' : 'Reject at the open step',
          description:
            'The leader of the department decides first, or any administrator if the leader cannot act; then any administrator decides. `waitingFor` says who. If two people decide at the same time, the second is refused.',
          params: IdParams,
          body: Decision,
          response: { 200: ApprovalView },
          refuses: [approvalFaults.notCurrentApprover, approvalFaults.alreadyDecided, illegalMove, faults.notInTenant],
        },
      },
      async (req, reply) => {
        const comment = req.body?.comment ?? null
        return reply.versioned(await req.transact((tx) => decideApproval(tx, req.params.id, action, comment, req)))
      },
    )
  }

  app.post(
    '/approvals/:id/reassign',
    {
      config: { access: 'approval:action', versionIn: 'nowhere' },
      onRequest: async (req) => assertAdministrator(req.user),
      schema: {
        operationId: 'reassignApproval',
        summary: 'Pass the open first step to somebody else',
        description:
          'Only by administrators, to a user of the tenant who may decide and who is not the applicant. The user is notified, and keeps the step if somebody else leads the department.',
        params: IdParams,
        body: Reassignment,
        response: { 200: ApprovalView },
        refuses: [approvalFaults.userNotFound, approvalFaults.cannotDecide, illegalMove],
      },
    },
    async (req, reply) =>
      reply.versioned(await req.transact((tx) => reassignApproval(tx, req.params.id, req.body.userId, req))),
  )

  app.post(
    '/approvals/:id/cancel',
    {
      config: { access: 'approval:create', versionIn: 'nowhere' },
      schema: {
        operationId: 'cancelApproval',
        summary: 'Take an approval back',
        description:
          'Only by its applicant, while it is a draft or open. Open steps are cancelled, and the people who had to decide are notified.',
        params: IdParams,
        response: { 200: ApprovalView },
        refuses: [notApplicant, illegalMove],
      },
    },
    async (req, reply) => reply.versioned(await req.transact((tx) => cancelApproval(tx, req.params.id, req))),
  )
}

type Query = z.output<typeof ApprovalQuery>

async function scopeOf(
  { scope: tenant, user }: FastifyRequest,
  scope: Query['scope'] = 'all',
): Promise<SeesApprovals & ApprovalFilter> {
  const own = seesEverything('what is theirs, or waits for their decision, they see')
  if (scope === 'mine') return { ...own, ownerId: user.id }
  if (scope === 'all' && user.isAdministrator) return approvalsSeenBy(user)
  const people = (await standIns.get().listRepresented(tenant, { substituteId: user.id })).map(({ userId }) => userId)
  const represented = people.length ? { represented: people } : {}
  if (scope === 'all') return { ...approvalsSeenBy(user), ...represented }
  const orAdministrators = user.isAdministrator ? { orAdministrators: true as const } : {}
  return { ...own, approverId: user.id, ...orAdministrators, ...represented }
}
