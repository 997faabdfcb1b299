// Generated from the migrated database by `npm run db:types`. Do not edit.
import type { ColumnType } from 'kysely'

/** A column that has a default or may be null: it can be left out of an insert. */
export type Optional<T> = ColumnType<T, T | undefined, T>

export interface ActivitiesTable {
  tenantId: number
  id: Optional<number>
  projectId: Optional<number | null>
  taskId: Optional<number | null>
  actorId: number
  action: string
  fieldName: Optional<string | null>
  oldValue: Optional<string | null>
  newValue: Optional<string | null>
  version: number
  requestId: string
  createdAt: string
  subjectType: Optional<string | null>
  subjectId: Optional<number | null>
  ownProjectId: Optional<number | null>
}

export interface ApprovalStepsTable {
  tenantId: number
  id: Optional<number>
  approvalId: number
  stepOrder: number
  approverType: 'DEPARTMENT_MANAGER' | 'ADMIN'
  approverId: Optional<number | null>
  status: 'WAITING' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'CANCELLED'
  actedBy: Optional<number | null>
  comment: Optional<string | null>
  actedAt: Optional<string | null>
  decidedForId: Optional<number | null>
  reassigned: Optional<boolean>
}

export interface ApprovalsTable {
  tenantId: number
  id: Optional<number>
  type: string
  title: string
  businessKey: Optional<string | null>
  applicantId: number
  departmentId: Optional<number | null>
  status: Optional<'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'CANCELLED'>
  currentStep: Optional<number>
  payload: Optional<string | null>
  version: Optional<number>
  createdAt: string
  updatedAt: string
  submittedAt: Optional<string | null>
  completedAt: Optional<string | null>
  departmentName: Optional<string | null>
  pendingDepartmentId: Optional<number | null>
}

export interface ArticlesTable {
  tenantId: number
  id: Optional<number>
  title: string
  author: Optional<string | null>
  categoryId: Optional<number | null>
  content: Optional<string[]>
  cover: Optional<string | null>
  date: string
  status: Optional<'draft' | 'published'>
  summary: Optional<string | null>
  tags: Optional<string[]>
  createdAt: string
  updatedAt: string
  version: Optional<number>
  publishedAt: Optional<string | null>
  writerId: Optional<number | null>
  placedAt: Optional<string | null>
  contentBytes: Optional<number | null>
}

export interface AuditOperationsTable {
  tenantId: number
  id: Optional<number>
  requestId: string
  userId: Optional<number | null>
  username: Optional<string | null>
  method: string
  path: string
  route: string
  status: number
  duration: number
  ip: string
  userAgent: string
  createdAt: Optional<string>
  keyPrefix: Optional<string | null>
}

export interface CategoriesTable {
  tenantId: number
  id: Optional<number>
  name: string
  slug: string
  description: Optional<string | null>
  status: Optional<'active' | 'inactive'>
  createdAt: string
  updatedAt: string
  nameSkeleton: Optional<string | null>
  slugSkeleton: Optional<string | null>
}

export interface CommentsTable {
  tenantId: number
  id: Optional<number>
  articleId: number
  userId: number
  content: string
  status: Optional<'published' | 'hidden'>
  createdAt: string
  editedAt: Optional<string | null>
  deletedAt: Optional<string | null>
}

export interface ContactMessagesTable {
  tenantId: number
  id: Optional<number>
  email: string
  name: Optional<string | null>
  message: Optional<string | null>
  createdAt: Optional<string>
  handled: Optional<boolean>
}

export interface DepartmentMembersTable {
  tenantId: number
  userId: number
  departmentId: number
  createdAt: string
}

export interface DepartmentsTable {
  tenantId: number
  id: Optional<number>
  parentId: Optional<number | null>
  name: string
  code: string
  leaderId: Optional<number | null>
  sort: Optional<number>
  status: Optional<'active' | 'disabled'>
  createdAt: string
  updatedAt: string
  version: Optional<number>
  codeSkeleton: Optional<string | null>
}

export interface ErasuresTable {
  id: Optional<number>
  tenant: number
  code: string
  counts: Optional<unknown>
  fileCount: Optional<number>
  erasedAt: Optional<string | null>
  begunAt: Optional<string>
}

export interface EventCountersTable {
  tenantId: number
  lastNumber: number
}

export interface EventsTable {
  tenantId: number
  id: number
  type: string
  subjectType: string
  subjectId: number
  actorKind: string
  actorId: Optional<number | null>
  data: unknown
  occurredAt: string
}

export interface FilesTable {
  tenantId: number
  id: Optional<number>
  filename: string
  originalName: string
  contentType: string
  size: number
  sha256: string
  uploaderId: number
  createdAt: string
  resourceType: Optional<string | null>
  resourceId: Optional<number | null>
  goesPublic: Optional<boolean>
}

export interface IdempotencyKeysTable {
  tenantId: number
  userId: number
  key: string
  expiresAt: string
}

export interface InvalidationsTable {
  id: Optional<number>
  transactionId: Optional<number>
  kind: 'session' | 'user' | 'roles' | 'permissions' | 'tenant' | 'everything'
  subject: number
  createdAt: Optional<string>
}

export interface LastSignInsTable {
  tenantId: number
  userId: number
  signedInAt: Optional<string>
}

export interface MenusTable {
  id: Optional<number>
  parentId: Optional<number | null>
  name: string
  path: Optional<string | null>
  component: Optional<string | null>
  icon: Optional<string | null>
  sort: Optional<number>
  visible: Optional<boolean>
  permission: Optional<string | null>
  type: Optional<'directory' | 'menu' | 'button'>
}

export interface NotificationsTable {
  tenantId: number
  id: Optional<number>
  receiverId: number
  eventId: number
  type: string
  title: string
  content: Optional<string | null>
  resourceType: Optional<string | null>
  resourceId: Optional<number | null>
  readAt: Optional<string | null>
  createdAt: string
  facts: Optional<unknown | null>
}

export interface OrderTenantsTable {
  orderNo: string
  tenant: number
}

export interface OrganizationsTable {
  tenantId: number
  id: Optional<number>
  name: string
  code: string
  status: Optional<'active' | 'disabled'>
}

export interface OutboxTable {
  tenantId: number
  id: Optional<number>
  type: string
  title: string
  content: Optional<string | null>
  resourceType: Optional<string | null>
  resourceId: Optional<number | null>
  receivers: number[]
  createdAt: Optional<string>
  facts: Optional<unknown | null>
}

export interface PaymentOrdersTable {
  tenantId: number
  id: Optional<number>
  userId: number
  orderNo: string
  planId: Optional<number | null>
  planName: string
  amountCents: number
  currency: string
  channel: 'alipay' | 'wechat' | 'card'
  createdAt: string
  expiresAt: string
  renewalDays: Optional<number | null>
  paidAt: Optional<string | null>
  expiredAt: Optional<string | null>
  refundedAt: Optional<string | null>
}

export interface PermissionsTable {
  id: Optional<number>
  code: string
  name: string
  description: Optional<string | null>
  createdAt: Optional<string>
}

export interface PortalSectionsTable {
  tenantId: number
  section: 'home' | 'features' | 'product' | 'pricing' | 'faq' | 'docs' | 'about'
  content: unknown
  updatedAt: Optional<string>
  written: Optional<boolean>
}

export interface ProjectMembersTable {
  tenantId: number
  projectId: number
  userId: number
  createdAt: string
  role: Optional<'member' | 'viewer'>
}

export interface ProjectsTable {
  tenantId: number
  id: Optional<number>
  name: string
  code: string
  description: Optional<string | null>
  ownerId: number
  status: Optional<'ACTIVE' | 'ARCHIVED'>
  startDate: Optional<string | null>
  endDate: Optional<string | null>
  version: Optional<number>
  createdAt: string
  updatedAt: string
  archivedAt: Optional<string | null>
  codeSkeleton: Optional<string | null>
}

export interface RefreshTokensTable {
  tenantId: number
  id: Optional<number>
  sessionId: number
  tokenHash: string
  usedAt: Optional<string | null>
  expiresAt: string
}

export interface RoleMenusTable {
  tenantId: number
  roleId: number
  menuId: number
}

export interface RolePermissionsTable {
  tenantId: number
  roleId: number
  permissionId: number
}

export interface RolesTable {
  tenantId: number
  id: Optional<number>
  code: string
  name: string
  description: Optional<string | null>
  createdAt: Optional<string>
  updatedAt: Optional<string>
}

export interface SchemaMigrationsTable {
  name: string
  checksum: string
  appliedAt: Optional<string>
}

export interface SessionSightingsTable {
  tenantId: number
  sessionId: number
  seenAt: Optional<string>
}

export interface SessionsTable {
  tenantId: number
  id: Optional<number>
  userId: number
  createdAt: Optional<string>
  expiresAt: string
  ip: Optional<string | null>
  userAgent: Optional<string | null>
  openedWith: Optional<'password' | 'provider'>
  continuedAt: Optional<string>
}

export interface SignInNetworksTable {
  tenantId: number
  userId: number
  network: string
  seenAt: Optional<string>
}

export interface SystemAdministratorTable {
  tenantId: number
  id: Optional<number>
  userId: number
}

export interface TableFactsTable {
  name: string
  facts: unknown
}

export interface TaskCommentsTable {
  tenantId: number
  id: Optional<number>
  taskId: number
  authorId: number
  content: string
  createdAt: string
  editedAt: Optional<string | null>
  deletedAt: Optional<string | null>
}

export interface TasksTable {
  tenantId: number
  id: Optional<number>
  projectId: number
  title: string
  description: Optional<string | null>
  assigneeId: Optional<number | null>
  reporterId: number
  priority: Optional<'LOW' | 'MEDIUM' | 'HIGH' | 'URGENT'>
  status: Optional<'TODO' | 'IN_PROGRESS' | 'BLOCKED' | 'DONE' | 'CANCELLED'>
  dueDate: Optional<string | null>
  version: Optional<number>
  createdAt: string
  updatedAt: string
  isOpen: Optional<boolean | null>
  deletedAt: Optional<string | null>
  deletedById: Optional<number | null>
}

export interface TenantsTable {
  id: Optional<number>
  name: string
  code: string
  status: Optional<'active' | 'disabled' | 'closing'>
  plan: string
  expiredAt: Optional<string | null>
  createdAt: Optional<string>
  contentVersion: Optional<number>
  registration: Optional<'open' | 'closed'>
  settingsVersion: Optional<number>
  locale: Optional<'en' | 'zh-CN'>
  timeZone: Optional<string>
  secondFactor: Optional<'optional' | 'required'>
  firstPassword: Optional<'keep' | 'change'>
  passwordMinLength: Optional<number>
  sessionDays: Optional<number | null>
  invitationDays: Optional<number>
  eraseAt: Optional<string | null>
  statusBefore: Optional<'active' | 'disabled' | null>
  sessionsSince: Optional<string | null>
}

export interface UnnumberedEventsTable {
  tenantId: number
  id: Optional<number>
  type: string
  subjectType: string
  subjectId: number
  actorKind: string
  actorId: Optional<number | null>
  data: unknown
  occurredAt: string
}

export interface UserRolesTable {
  tenantId: number
  userId: number
  roleId: number
}

export interface UsersTable {
  tenantId: number
  id: Optional<number>
  username: string
  passwordHash: string
  nickname: Optional<string | null>
  email: Optional<string | null>
  phone: Optional<string | null>
  realName: Optional<string | null>
  status: Optional<'active' | 'disabled'>
  createdAt: Optional<string>
  updatedAt: Optional<string>
  deletedAt: Optional<string | null>
  livingId: Optional<number | null>
  look: Optional<string | null>
  skeleton: Optional<string | null>
  nicknameSkeleton: Optional<string | null>
  selfRegistered: Optional<boolean>
  mustChangePassword: Optional<boolean>
  secondFactorAt: Optional<string | null>
  locale: Optional<string | null>
  timeZone: Optional<string | null>
  mail: Optional<string>
  emailVerifiedAt: Optional<string | null>
  avatar: Optional<string | null>
  isService: Optional<boolean>
  emailKey: Optional<string | null>
  version: Optional<number>
}

export interface VisitorKeysTable {
  tenantId: number
  key: string
  expiresAt: string
}

export interface DB {
  activities: ActivitiesTable
  approvalSteps: ApprovalStepsTable
  approvals: ApprovalsTable
  articles: ArticlesTable
  auditOperations: AuditOperationsTable
  categories: CategoriesTable
  comments: CommentsTable
  contactMessages: ContactMessagesTable
  departmentMembers: DepartmentMembersTable
  departments: DepartmentsTable
  erasures: ErasuresTable
  eventCounters: EventCountersTable
  events: EventsTable
  files: FilesTable
  idempotencyKeys: IdempotencyKeysTable
  invalidations: InvalidationsTable
  lastSignIns: LastSignInsTable
  menus: MenusTable
  notifications: NotificationsTable
  orderTenants: OrderTenantsTable
  organizations: OrganizationsTable
  outbox: OutboxTable
  paymentOrders: PaymentOrdersTable
  permissions: PermissionsTable
  portalSections: PortalSectionsTable
  projectMembers: ProjectMembersTable
  projects: ProjectsTable
  refreshTokens: RefreshTokensTable
  roleMenus: RoleMenusTable
  rolePermissions: RolePermissionsTable
  roles: RolesTable
  schemaMigrations: SchemaMigrationsTable
  sessionSightings: SessionSightingsTable
  sessions: SessionsTable
  signInNetworks: SignInNetworksTable
  systemAdministrator: SystemAdministratorTable
  tableFacts: TableFactsTable
  taskComments: TaskCommentsTable
  tasks: TasksTable
  tenants: TenantsTable
  unnumberedEvents: UnnumberedEventsTable
  userRoles: UserRolesTable
  users: UsersTable
  visitorKeys: VisitorKeysTable
}

/** Every table with a tenant_id. Nobody keeps this list: it follows from the columns. */
export type Protected = { [T in keyof DB]: DB[T] extends { tenantId: unknown } ? T : never }[keyof DB]
/** The tables that belong to no tenant. */
export type Shared = Exclude<keyof DB, Protected>
export const SHARED_TABLES: ReadonlySet<string> = new Set(['erasures', 'invalidations', 'menus', 'order_tenants', 'permissions', 'schema_migrations', 'table_facts', 'tenants'])
