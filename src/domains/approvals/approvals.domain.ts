import { domain, searchables } from '#atrium'
import { fileResources, files } from '#atrium/files'
import { leaderWork, organization } from '#atrium/organization'
import { dependents, people } from '#atrium/people'
import { roles } from '#atrium/roles'
import { approvalEvents } from './approvals.events.ts'
import { approvalRoutes } from './approvals.routes.ts'
import { approvalsSeenBy, listSearchedApprovals } from './approvals.store.ts'
import { filesOfApprovals } from './files-of-approvals.ts'
import { requestsOfPerson, stepsOfLeader } from './passing/hand-over.actions.ts'

const words = {
  permissions: {
    'approval:create': ['tenant-admin', 'user'],
    'approval:action': ['tenant-admin', 'user'],
  },
  resources: ['approval'],
  activities: {
    approval: ['FILE_ATTACHED', 'FILE_DETACHED', 'APPROVAL_REASSIGNED', 'APPROVAL_HANDED_OVER'],
  },
  events: approvalEvents,
  notifications: {
    APPROVAL_PENDING: { en: '{title} waits for your decision', zh: '{title} 等待您审批' },
    APPROVAL_APPROVED: { en: '{title} was approved', zh: '{title} 已通过' },
    APPROVAL_REJECTED: { en: '{title} was rejected', zh: '{title} 已被驳回' },
    APPROVAL_HANDED_OVER: { en: '{title} is your request now', zh: '{title} 已成为您的申请' },
    APPROVALS_HANDED_OVER: { en: '{count} requests are yours now', zh: '{count} 个审批已移交给您' },
    APPROVAL_CANCELLED: { en: '{title} was taken back', zh: '{title} 已被撤回' },
  },
  sentences: {
    'this step was decided meanwhile': '该步骤已由他人处理',
    'Approval not found': '审批不存在',
    'lacks {permission}': '缺少 {permission} 权限',
    'Only the applicant may do this': '仅申请人可以执行此操作',
    'This request is not waiting for you': '该审批当前无需您处理',
    'You have made this decision already': '您已作出此决定',
    'the request is now {status}': '该审批当前状态为 {status}',
    'a request that is {status} keeps its files': '{status} 状态的审批不能更改附件',
    'The request is not in a state for this': '审批的当前状态不允许此操作',
    'a request that is {from} does not allow this': '{from} 状态的审批不允许此操作',
    'This person cannot be given the request': '该用户无法处理此审批',
    'is the applicant': '是申请人本人',
    'only administrators pass on what waits': '只有管理员可以转交待办审批',
    'request {id} is not decided': '审批 {id} 尚未处理',
    'The department is disabled': '该部门已停用',
    'The request was changed by someone else': '该审批已被他人修改',
    'The request names no department': '审批未指定部门',
    'The department has no leader to decide': '该部门尚未设置负责人，无法审批',
  },
} as const

declare module '#atrium' {
  interface Domains {
    approvals: typeof words
  }
}

export const approvals = domain({
  name: 'approvals',
  uses: [files, organization, people, roles],
  ...words,
  tags: {
    approvals: {
      description: "Requests that need two decisions: the leader's, then an administrator's.",
      paths: ['/approvals'],
    },
  },
  provides: [
    leaderWork.by(stepsOfLeader),
    dependents.by(requestsOfPerson),
    fileResources.by(filesOfApprovals),
    searchables.by({ type: 'approval', seenBy: approvalsSeenBy, list: listSearchedApprovals }),
  ],
  routes: approvalRoutes,
})
