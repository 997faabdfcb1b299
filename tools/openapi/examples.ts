import { constants } from '../../src/domains/demo/constants.ts'
import { defaultPortal } from '../../src/domains/portal/default-portal.ts'
import type { Json } from './schemas.ts'

/** Components whose examples are at hand: what a tenant's portal says from the start, and the figures of the admin pages. */
const WHOLE: Record<string, unknown> = {
  PortalHome: defaultPortal.home,
  PortalFeature: defaultPortal.features[0],
  PortalProduct: defaultPortal.product,
  PortalPlan: defaultPortal.pricing[1],
  PortalQuestion: defaultPortal.faq[0],
  PortalGuide: defaultPortal.docs[0],
  PortalAbout: defaultPortal.about,
  DashboardStats: constants.dashboard(),
  AnalyticsOverview: constants.analytics(1),
  DataOverview: constants.data(),
  LoginLog: constants.loginLogs()[0],
  OperationLog: constants.operationLogs()[0],
  ErrorLog: constants.errorLogs()[0],
  ConfigEntry: constants.configEntries()[0],
  Dictionary: constants.dictionaries()[0],
  Notice: constants.notices()[0],
  DemoDepartment: constants.departments()[0],
  OnlineUsers: constants.onlineUsers(),
  ServerState: constants.serverState(),
}

const TOKEN = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl'

/**
 * What a field looks like: by `Component.field` (a draft and a patch look like what they become), else by the field
 * alone. One that is in neither table shows what its schema says: the default, the first of an enumeration, null where
 * it may be null.
 */
const BY_COMPONENT: Record<string, Json> = {
  Approval: {
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
  },
  ApprovalDecision: { comment: 'Within the budget' },
  ApprovalStep: { id: 31, stepOrder: 1, status: 'PENDING', approverId: 9 },
  Article: {
    id: 8,
    title: 'What is new in November',
    category: 'Product news',
    categoryId: 1,
    content: ['Boards load twice as fast.', 'Comments can be hidden and shown again.'],
    cover: '/covers/november.webp',
    date: '2026-11-20',
    status: 'published',
    summary: 'Faster boards, calmer comments',
    tags: ['release'],
  },
  AuditOperation: {
    id: 90_210,
    method: 'POST',
    path: '/api/v1/projects/42/tasks',
    route: '/api/v1/projects/:id/tasks',
    status: 201,
    duration: 6,
    userAgent: 'Mozilla/5.0',
  },
  BlogComment: { id: 64, articleId: 8, content: 'The boards really are faster.' },
  BlogPage: { categories: ['All', 'Product news'] },
  BlogPost: {
    id: 8,
    title: 'What is new in November',
    category: 'Product news',
    content: ['Boards load twice as fast.', 'Comments can be hidden and shown again.'],
    cover: '/covers/november.webp',
    date: '2026-11-20',
    excerpt: 'Faster boards, calmer comments',
    tags: ['release'],
  },
  Category: { id: 1, name: 'Product news', slug: 'product', description: 'What has changed', articleCount: 14 },
  Contact: { message: 'We are a team of twelve. Which plan fits us?' },
  ContactMessage: { id: 5, name: 'Mei Tanaka', message: 'We are a team of twelve. Which plan fits us?' },
  Department: { id: 3, parentId: 1, name: 'Engineering', code: 'ENG', leaderId: 9, sort: 10, memberCount: 14 },
  DepartmentMember: { id: 7 },
  DirectoryEntry: { id: 7 },
  Me: { id: 7, roles: ['user'], permissions: ['project:list', 'project:create', 'task:update'] },
  Menu: {
    id: 21,
    parentId: 0,
    name: 'Projects',
    path: '/projects',
    component: 'projects/index',
    icon: 'folder',
    sort: 10,
    permission: 'project:list',
    type: 'menu',
  },
  ModeratedComment: { id: 64, articleId: 8, content: 'The boards really are faster.', status: 'hidden' },
  Notification: {
    id: 311,
    title: 'You were assigned Prepare the launch',
    receiverId: 7,
    read: false,
    resourceType: 'task',
    resourceId: 117,
  },
  Organization: { id: 1, name: 'Velora', code: 'VELORA' },
  PaymentOrder: {
    id: 15,
    planName: 'Team',
    amountCents: 29_900,
    checkoutUrl: '/payment/demo/FV0A1B2C3D4E5F60718293A4B5',
    expiresAt: '2026-11-21T09:45:00.000Z',
  },
  Permission: { id: 36, code: 'report:export', name: 'Export reports', description: 'Reports as files' },
  Project: { name: 'Apollo', code: 'APOLLO', description: 'The new landing page', memberIds: [7, 9], archivedAt: null },
  ProjectActivity: { id: 501, projectId: 42, action: 'PROJECT_MEMBER_ADDED', detail: '9' },
  Role: { id: 4, code: 'editor', name: 'Editor', description: 'Writes articles', permissions: ['content:create'] },
  StoredFile: { size: 20_480 },
  Task: {
    id: 117,
    projectId: 42,
    title: 'Prepare the launch',
    description: 'Texts, pictures, and somebody who reads them once more',
    assigneeId: 9,
    priority: 'HIGH',
    status: 'IN_PROGRESS',
    dueDate: '2026-12-01',
  },
  TaskActivity: {
    id: 640,
    taskId: 117,
    action: 'STATUS_CHANGED',
    fieldName: 'status',
    oldValue: 'TODO',
    newValue: 'IN_PROGRESS',
  },
  TaskComment: { id: 230, taskId: 117, content: 'The pictures are in the folder.' },
  Tenant: { id: 3, name: 'Velora', code: 'velora', expiredAt: '2027-12-31T23:59:59.000Z' },
  User: { id: 7, phone: '+49 30 1234567', roles: ['user'], roleIds: [2] },
}

const BY_NAME: Json = {
  accessToken: TOKEN,
  actedBy: null,
  actorId: 7,
  adminEmail: 'ada@velora.example',
  adminPassword: 'correct horse battery staple',
  adminUsername: 'ada',
  applicantId: 7,
  author: 'Ada Lovelace',
  authorId: 7,
  authorName: 'Ada Lovelace',
  channel: 'card',
  contentType: 'application/pdf',
  count: 3,
  createdAt: '2026-11-20T16:05:12.480Z',
  currentPassword: 'correct horse battery staple',
  email: 'ada@velora.example',
  endDate: '2027-03-31',
  expiresIn: 7200,
  filename: '5f2b6c1d9e8a47300c4d5e6f7a8b9c0d.pdf',
  id: 42,
  ip: '203.0.113.7',
  key: '1/5f2b6c1d9e8a47300c4d5e6f7a8b9c0d.pdf',
  menuIds: [21],
  name: 'Ada Lovelace',
  newPassword: 'a better battery staple',
  nickname: 'Ada',
  orderNo: 'FV0A1B2C3D4E5F60718293A4B5',
  originalName: 'plan.pdf',
  ownerId: 7,
  page: 1,
  pageSize: 10,
  password: 'correct horse battery staple',
  permissionIds: [14],
  plan: 'team',
  planId: 2,
  realName: 'Ada Lovelace',
  refreshToken: '1.q8Zt0mVn5sYw3kXf2bJc7dLh9gRa4eUi',
  reporterId: 7,
  requestId: 'order-page-17',
  section: 'home',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  startDate: '2026-11-23',
  submittedAt: '2026-11-21T09:30:00.000Z',
  tenantCode: 'default',
  tenantId: 1,
  total: 1,
  updatedAt: '2026-11-21T09:30:00.000Z',
  url: '/api/v1/files/1/5f2b6c1d9e8a47300c4d5e6f7a8b9c0d.pdf',
  userId: 9,
  username: 'ada',
  version: 3,
}

/** An example of a schema; `field` and `owner` say where it stands. */
export function exampleOf(schema: Json, components: Record<string, Json>, field = '', owner = ''): unknown {
  const known = knownValue(field, owner)
  if (known !== undefined) return known
  if (schema.$ref) {
    const component = schema.$ref.split('/').at(-1) as string
    if (component in WHOLE) return brief(WHOLE[component])
    return exampleOf(components[component]!, components, '', component)
  }
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  const types = [schema.type].flat()
  if (types.includes('null')) return null
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0], components, field, owner)
  if (types.includes('boolean')) return true
  if (types.includes('array')) return field === 'children' ? [] : [exampleOf(schema.items, components)]
  if (types.includes('object'))
    return Object.fromEntries(
      Object.entries<Json>(schema.properties ?? {}).map(([name, property]) => [
        name,
        exampleOf(property, components, name, owner),
      ]),
    )
  throw new Error(`tools/openapi/examples.ts does not know what ${owner}.${field} looks like`)
}

function knownValue(field: string, owner: string): unknown {
  const fields = BY_COMPONENT[owner] ?? BY_COMPONENT[owner.replace(/(Draft|Patch)$/, '')]
  return fields?.[field] ?? BY_NAME[field]
}

/** Of each list, the first. */
function brief(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(brief)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, brief(inner)]))
}
