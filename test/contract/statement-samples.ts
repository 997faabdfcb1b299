import type { Tx } from '../../src/data/tx/scope.ts'
import * as approvals from '../../src/domains/approvals/approvals.store.ts'
import * as audit from '../../src/domains/audit/audit.store.ts'
import * as auth from '../../src/domains/auth/auth.store.ts'
import * as checkout from '../../src/domains/checkout/checkout.store.ts'
import * as comments from '../../src/domains/comments/comments.store.ts'
import * as content from '../../src/domains/content/content.store.ts'
import * as files from '../../src/domains/files/files.store.ts'
import * as menus from '../../src/domains/menus/menus.store.ts'
import * as notifications from '../../src/domains/notifications/notifications.store.ts'
import * as organization from '../../src/domains/organization/organization.store.ts'
import * as people from '../../src/domains/people/people.store.ts'
import * as portal from '../../src/domains/portal/portal.store.ts'
import * as projects from '../../src/domains/projects/projects.store.ts'
import * as permissions from '../../src/domains/roles/permissions.store.ts'
import * as roles from '../../src/domains/roles/roles.store.ts'
import * as tasks from '../../src/domains/tasks/tasks.store.ts'
import * as tenants from '../../src/domains/tenants/tenants.store.ts'
import * as users from '../../src/domains/users/users.store.ts'

export type Statement = (tx: Tx<any>, params: any, window?: any) => unknown
/** Samples of the parameters of each statement in a store: one that has none, or a wrong one, does not compile. */
type Samples<Store> = {
  [Name in keyof Store as Store[Name] extends { tables: unknown }
    ? never
    : Store[Name] extends Statement
      ? Name
      : never]: SamplesOf<Store[Name]>
}
type SamplesOf<S> = S extends Statement ? [Parameters<S>[1], ...Parameters<S>[1][]] : never

const at = '2026-11-21T09:00:00.000Z'
const member = { memberId: 7 }
const task = {
  id: 1,
  title: '',
  description: null,
  assigneeId: null,
  priority: 'LOW',
  status: 'TODO',
  dueDate: null,
  version: 0,
  updatedAt: at,
} as const
const department = {
  id: 1,
  parentId: null,
  name: '',
  code: '',
  leaderId: null,
  sort: 0,
  status: 'active',
  updatedAt: at,
} as const
const step = {
  id: 1,
  stepOrder: 1,
  approverType: 'ADMIN',
  approverId: null,
  status: 'WAITING',
  actedBy: null,
  comment: null,
  actedAt: null,
} as const

const article = {
  id: 1,
  title: '',
  author: null,
  categoryId: null,
  content: [] as string[],
  cover: null,
  date: '2026-11-21',
  status: 'draft' as const,
  summary: null,
  tags: [] as string[],
  createdAt: at,
  updatedAt: at,
  version: 0,
}
const category = {
  id: 1,
  name: '',
  slug: '',
  description: null,
  status: 'active',
  createdAt: at,
  updatedAt: at,
} as const
const menu = {
  parentId: null,
  name: '',
  path: null,
  component: null,
  icon: null,
  sort: 0,
  visible: true,
  permission: null,
  type: 'menu',
} as const
const user = {
  id: 1,
  nickname: null,
  email: null,
  phone: null,
  realName: null,
  status: 'active',
  updatedAt: at,
} as const

/** Every store, by its place below `domains`, with samples for each of its statements. */
export const STORES: Record<string, [store: object, samples: object]> = {
  approvals: [
    approvals,
    {
      findApproval: [{ id: 1 }, { id: 1, viewerId: 7 }],
      peekStand: [{ id: 1 }],
      lockApproval: [{ id: 1 }, { id: 1, viewerId: 7 }],
      listApprovals: [
        {},
        { viewerId: 7, status: 'PENDING' },
        { viewerId: 7, applicantId: 7 },
        { viewerId: 7, approverId: 7 },
        { approverId: 7, orAdministrators: true },
      ],
      insertApproval: [
        {
          id: 1,
          type: '',
          title: '',
          businessKey: null,
          applicantId: 7,
          departmentId: null,
          payload: null,
          createdAt: at,
          updatedAt: at,
        },
      ],
      saveApproval: [
        { id: 1, status: 'DRAFT', currentStep: 0, version: 0, updatedAt: at, submittedAt: null, completedAt: null },
      ],
      insertStep: [{ ...step, approvalId: 1 }],
      saveStep: [step],
      countPending: [{ departmentId: 1 }],
      lockLeaderSteps: [{ departmentId: 1 }],
      passStep: [{ id: 1, approverId: 7 }],
    } satisfies Samples<typeof approvals>,
  ],
  audit: [
    audit,
    {
      insertOperation: [
        {
          requestId: '',
          userId: 7,
          username: '',
          method: '',
          path: '',
          route: '',
          status: 200,
          duration: 1,
          ip: '',
          userAgent: '',
        },
      ],
      pruneOperations: [{ days: 30, most: 1000 }],
      listOperations: [{}, { userId: 7, refusal: 403, from: at, to: at }],
      searchOperations: [
        { method: 'GET', success: null, pattern: null },
        { userId: 7, refusal: 403, from: at, to: at, method: 'GET', success: null, pattern: '%' },
      ],
    } satisfies Samples<typeof audit>,
  ],
  auth: [
    auth,
    {
      listLivingSessions: [{ sessionIds: [1] }],
      findPrincipal: [{ sessionId: 1, userId: 7 }],
      insertSession: [{ id: 1, userId: 7, ttl: 1 }],
      prolongSession: [{ id: 1, ttl: 1 }],
      removeSession: [{ id: 1 }],
      endSessions: [{ userId: 7 }, { userId: 7, kept: 1 }],
      removeExpiredSessions: [{ most: 1000 }],
      removeExpiredRefreshTokens: [{ most: 1000 }],
      insertRefreshToken: [{ sessionId: 1, tokenHash: '', ttl: 1 }],
      lockRefreshToken: [{ tokenHash: '' }],
      useRefreshToken: [{ id: 1 }],
    } satisfies Samples<typeof auth>,
  ],
  notifications: [
    notifications,
    {
      listNotifications: [{ receiverId: 7 }, { receiverId: 7, onlyRead: true }, { receiverId: 7, onlyUnread: true }],
      listArrivals: [{ receivers: [7], floors: [3], most: 10 }],
      listLatestIds: [{ receiverId: 7, most: 10 }],
      countUnread: [{ receiverId: 7 }],
      countUnreadOfEach: [{ receivers: [7] }],
      markRead: [{ id: 1, receiverId: 7 }],
      markAllRead: [{ receiverId: 7 }],
    } satisfies Samples<typeof notifications>,
  ],
  organization: [
    organization,
    {
      insertOrganization: [{ name: '', code: '' }],
      findOrganization: [{}],
      lockOrganization: [{}],
      lockStaff: [{}],
      saveOrganization: [{ id: 1, name: '', status: 'active' }],
      listDepartments: [{}],
      findDepartment: [{ id: 1 }],
      shareLockDepartment: [{ id: 1 }],
      lockDepartment: [{ id: 1 }],
      insertDepartment: [{ ...department, createdAt: at }],
      saveDepartment: [department],
      removeDepartment: [{ id: 1 }],
      listDepartmentMembers: [{ departmentId: 1 }],
      placeMember: [{ userId: 7, departmentId: 1, createdAt: at }],
      removeDepartmentMember: [{ userId: 7, departmentId: 1 }],
      countUses: [{ id: 1 }],
      listDepartmentsLedBy: [{ userId: 7 }],
      removeFromDepartments: [{ userId: 7 }],
    } satisfies Samples<typeof organization>,
  ],
  people: [
    people,
    {
      insertUser: [{ username: '', passwordHash: '', nickname: null, email: null }],
      saveUser: [user, { ...user, passwordHash: '' }],
      retireUser: [{ id: 1, deletedAt: at }],
      lockUser: [{ id: 1 }],
      findCredentials: [{ username: '' }],
      shareLockCredentials: [{ id: 1, passwordHash: '' }],
      findPasswordHash: [{ id: 1 }],
      savePasswordHash: [{ id: 1, passwordHash: '' }],
      shareLockUser: [{ id: 1 }],
      listDirectory: [{}, { pattern: '%' }],
    } satisfies Samples<typeof people>,
  ],
  projects: [
    projects,
    {
      findProject: [{ id: 1 }, { ...member, id: 1 }],
      findVisibleProject: [{ id: 1 }, { ...member, id: 1 }],
      listProjects: [{}, { ...member, status: 'ACTIVE', pattern: '%' }],
      lockProject: [{ id: 1 }, { ...member, id: 1 }],
      shareLockProject: [{ id: 1 }, { ...member, id: 1 }],
      insertProject: [
        {
          id: 1,
          name: '',
          code: '',
          description: null,
          ownerId: 7,
          startDate: null,
          endDate: null,
          createdAt: at,
          updatedAt: at,
        },
      ],
      saveProject: [{ id: 1, name: '', description: null, startDate: null, endDate: null, version: 0, updatedAt: at }],
      saveArchived: [{ id: 1, version: 1, archivedAt: at }],
      stillActive: [{ id: 1 }],
      findMember: [{ projectId: 1, userId: 7 }],
      stillMember: [{ projectId: 1, userId: 7 }],
      lockMember: [{ projectId: 1, userId: 7 }],
      insertMember: [{ projectId: 1, userId: 7, createdAt: at }],
      admitMember: [{ projectId: 1, userId: 7, createdAt: at }],
      removeMember: [{ projectId: 1, userId: 7 }],
      listProjectsOwnedBy: [{ userId: 7 }],
      lockMemberships: [{ userId: 7 }],
      shareLockProjectsOf: [{ userId: 7 }],
      removeMemberships: [{ userId: 7 }],
      listProjectActivities: [{ projectId: 1 }],
    } satisfies Samples<typeof projects>,
  ],
  tasks: [
    tasks,
    {
      findTask: [{ id: 1 }, { ...member, id: 1 }],
      findAssignee: [{ taskId: 1, userId: 7 }],
      listInvolvedMembers: [{ taskId: 1 }],
      listTasks: [
        { projectId: 1 },
        { ...member, projectId: 1, status: 'TODO', priority: 'LOW', assigneeId: 7, pattern: '%' },
      ],
      listOpenTasks: [{ assigneeId: 7 }, { projectId: 1, assigneeId: 7 }],
      insertTask: [{ ...task, projectId: 1, reporterId: 7, createdAt: at }],
      saveTask: [{ ...task, was: 0 }],
      insertComment: [{ id: 1, taskId: 1, authorId: 7, content: '', createdAt: at }],
      listComments: [{ taskId: 1 }],
      listTaskActivities: [{ taskId: 1 }],
    } satisfies Samples<typeof tasks>,
  ],
  tenants: [
    tenants,
    {
      findTenant: [{ id: 1 }],
      findTenantByCode: [{ code: '' }],
      lockTenant: [{ id: 1 }],
      listTenants: [{}],
      insertTenant: [{ id: 1, name: '', code: '', plan: '', expiredAt: null }],
      saveTenant: [{ id: 1, name: '', status: 'active', plan: '', expiredAt: null }],
    } satisfies Samples<typeof tenants>,
  ],
  checkout: [
    checkout,
    {
      findOrder: [{ userId: 7, orderNo: '' }],
      listOrders: [{ userId: 7 }],
      insertOrder: [
        {
          id: 1,
          orderNo: '',
          userId: 7,
          planId: 2,
          planName: '',
          amountCents: 1,
          currency: 'CNY',
          channel: 'card',
          createdAt: at,
          expiresAt: at,
        },
      ],
    } satisfies Samples<typeof checkout>,
  ],
  comments: [
    comments,
    {
      listPublishedComments: [{ articleId: 1 }],
      insertComment: [{ id: 1, articleId: 1, userId: 7, username: '', content: '', createdAt: at }],
      saveCommentStatus: [{ id: 1, status: 'hidden' }],
    } satisfies Samples<typeof comments>,
  ],
  content: [
    content,
    {
      findArticle: [{ id: 1 }, { id: 1, seenStatus: 'published' }],
      lockArticle: [{ id: 1 }],
      shareLockPublishedArticle: [{ id: 1 }],
      listArticles: [{}, { seenStatus: 'published', status: 'draft', categoryId: 1, category: '', pattern: '%' }],
      insertArticle: [article],
      seedArticle: [article],
      saveArticle: [article],
      removeArticle: [{ id: 1 }],
      listCategories: [{}, { seenStatus: 'published' }],
      findCategory: [{ id: 1 }, { id: 1, seenStatus: 'published' }],
      findCategoryName: [{ id: 1 }],
      listCategoryNames: [{}],
      lockCategory: [{ id: 1 }],
      insertCategory: [category],
      seedCategory: [category],
      saveCategory: [category],
      removeCategory: [{ id: 1 }],
    } satisfies Samples<typeof content>,
  ],
  files: [
    files,
    {
      findFile: [{ filename: '' }],
      lockFile: [{ filename: '' }],
      listFiles: [{}],
      insertFile: [
        { id: 1, filename: '', originalName: '', contentType: '', size: 1, sha256: '', uploaderId: 7, createdAt: at },
      ],
      removeFile: [{ filename: '' }],
      listNames: [{ after: '', limit: 1 }],
    } satisfies Samples<typeof files>,
  ],
  menus: [
    menus,
    {
      listMenus: [{}],
      lockMenus: [{}],
      insertMenu: [menu],
      saveMenu: [{ ...menu, id: 1 }],
      removeMenu: [{ id: 1 }],
    } satisfies Samples<typeof menus>,
  ],
  'roles/permissions': [
    permissions,
    {
      listCatalogue: [{}],
      listPermissions: [{}],
      lockPermission: [{ id: 1 }],
      insertPermission: [{ code: '', name: '', description: null }],
      savePermission: [{ id: 1, code: '', name: '', description: null }],
      removePermission: [{ id: 1 }],
    } satisfies Samples<typeof permissions>,
  ],
  roles: [
    roles,
    {
      findRole: [{ id: 1 }],
      listRoles: [{}, { pattern: '%' }],
      lockRoleByCode: [{ code: '' }],
      insertRole: [{ code: '', name: '' }],
      saveRole: [{ id: 1, name: '', description: null, updatedAt: at }],
      grantPermission: [{ roleId: 1, permissionId: 1 }],
      withdrawPermission: [{ roleId: 1, permissionId: 1 }],
      listHolders: [{ roleId: 1 }],
      removeRole: [{ id: 1 }],
      listMenuIdsOf: [{ userId: 7 }],
      insertRoleMenu: [{ roleId: 1, menuId: 1 }],
      removeRoleMenu: [{ roleId: 1, menuId: 1 }],
      listRolesHeld: [{ userId: 7 }],
      listRolesByIds: [{ ids: [1] }],
      listRolesByCode: [{ code: '' }],
      listAdministratorIds: [{}],
      insertUserRole: [{ userId: 7, roleId: 1 }],
      removeUserRole: [{ userId: 7, roleId: 1 }],
      removeUserRoles: [{ userId: 7 }],
    } satisfies Samples<typeof roles>,
  ],
  users: [
    users,
    {
      findUser: [{ id: 1 }],
      listUsers: [{}, { pattern: '%', status: 'active' }],
    } satisfies Samples<typeof users>,
  ],
  portal: [
    portal,
    {
      findSection: [{ section: 'home' }],
      saveSection: [{ section: 'home', content: '' }],
      seedSection: [{ section: 'home', content: '' }],
      insertContactMessage: [{ email: '', name: null, message: null }],
      listContactMessages: [{}],
    } satisfies Samples<typeof portal>,
  ],
}
