// Generated from openapi.json by `npm run openapi`. Do not edit.

export type ActiveStatus = 'active' | 'disabled'

export type ActorKind = 'user' | 'service' | 'system' | null

export interface AnalyticsOverview {
  stats: ({ color: string; suffix: string; title: string; value: number })[]
  trend: ({ date: string; visits: number; users: number; orders: number; revenue: number })[]
  topPages: ({ page: string; title: string; visits: number; avgTime: string })[]
}

export interface Approval {
  id: number
  type: string
  title: string
  businessKey: string | null
  applicantId: number
  applicantName: string
  departmentId: number | null
  /** The name of the department when the request last named it */
  departmentName: string | null
  status: ApprovalStatus
  currentStep: number
  payload: string | null
  version: number
  steps: ApprovalStep[]
  /** The leader; any administrator if the leader cannot act, and at the second step; null unless it is PENDING */
  waitingFor: ApprovalWaitingFor | null
  /** Who may decide it today beside the person for whom it waits */
  substituteId: number | null
  substituteName: string | null
  createdAt: string
  updatedAt: string
  submittedAt: string | null
  completedAt: string | null
}

/** A request was approved at its last step. */
export interface ApprovalApprovedEvent {
  id: number
  type: 'approval.approved'
  occurredAt: string
  actor: EventActor
  subject: { type: 'approval'; id: number }
  data: { type: string; title: string; businessKey: string | null; applicantId: number; departmentId: number | null; version: number }
}

/** A request was cancelled by its applicant. */
export interface ApprovalCancelledEvent {
  id: number
  type: 'approval.cancelled'
  occurredAt: string
  actor: EventActor
  subject: { type: 'approval'; id: number }
  data: { type: string; title: string; businessKey: string | null; applicantId: number; departmentId: number | null; version: number }
}

/** A request was drafted. */
export interface ApprovalCreatedEvent {
  id: number
  type: 'approval.created'
  occurredAt: string
  actor: EventActor
  subject: { type: 'approval'; id: number }
  data: { type: string; title: string; businessKey: string | null; applicantId: number; departmentId: number | null; version: number }
}

export interface ApprovalDecision {
  comment?: string | null
}

export interface ApprovalDraft {
  type: string
  title: string
  businessKey?: string | null
  departmentId?: number | null
  payload?: string | null
}

/** A request that waits went from one person to another, who decides it or is its applicant now. */
export interface ApprovalHandedOverEvent {
  id: number
  type: 'approval.handed_over'
  occurredAt: string
  actor: EventActor
  subject: { type: 'approval'; id: number }
  data: { version: number; from: number; to: number }
}

export interface ApprovalPatch {
  type?: string
  title?: string
  businessKey?: string | null
  departmentId?: number | null
  payload?: string | null
  /** The version that was read; may be omitted if If-Match is sent */
  version?: number
}

/** An administrator passed the first step of a request to somebody else. */
export interface ApprovalReassignedEvent {
  id: number
  type: 'approval.reassigned'
  occurredAt: string
  actor: EventActor
  subject: { type: 'approval'; id: number }
  data: { version: number; from: number | null; to: number }
}

export interface ApprovalReassignment {
  userId: number
}

/** A request was rejected. */
export interface ApprovalRejectedEvent {
  id: number
  type: 'approval.rejected'
  occurredAt: string
  actor: EventActor
  subject: { type: 'approval'; id: number }
  data: { type: string; title: string; businessKey: string | null; applicantId: number; departmentId: number | null; version: number }
}

export type ApprovalStatus = 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'CANCELLED'

export interface ApprovalStep {
  id: number
  stepOrder: number
  approverType: 'DEPARTMENT_MANAGER' | 'ADMIN'
  approverId: number | null
  approverName: string | null
  status: ApprovalStepStatus
  actedBy: number | null
  actedByName: string | null
  comment: string | null
  actedAt: string | null
  /** The approver for whom a substitute decided */
  decidedForId: number | null
  decidedForName: string | null
  /** An administrator passed the step to its approver */
  reassigned: boolean
}

/** The first step of a request was approved; administrators decide next. */
export interface ApprovalStepApprovedEvent {
  id: number
  type: 'approval.step_approved'
  occurredAt: string
  actor: EventActor
  subject: { type: 'approval'; id: number }
  data: { type: string; title: string; businessKey: string | null; applicantId: number; departmentId: number | null; version: number }
}

export type ApprovalStepStatus = 'WAITING' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'CANCELLED'

/** A request was submitted. */
export interface ApprovalSubmittedEvent {
  id: number
  type: 'approval.submitted'
  occurredAt: string
  actor: EventActor
  subject: { type: 'approval'; id: number }
  data: { type: string; title: string; businessKey: string | null; applicantId: number; departmentId: number | null; version: number }
}

/** A draft was changed. */
export interface ApprovalUpdatedEvent {
  id: number
  type: 'approval.updated'
  occurredAt: string
  actor: EventActor
  subject: { type: 'approval'; id: number }
  data: { type: string; title: string; businessKey: string | null; applicantId: number; departmentId: number | null; version: number; changes: ({ field: 'type' | 'title' | 'businessKey' | 'departmentId' | 'payload'; from: unknown; to: unknown })[] }
}

export interface ApprovalWaitingFor {
  approverType: 'DEPARTMENT_MANAGER' | 'ADMIN'
  approverId: number | null
  approverName: string | null
}

export interface Article {
  id: number
  title: string
  author: string | null
  /** The name of the category; empty if there is none */
  category: string
  categoryId: number | null
  /** Paragraphs */
  content: string[]
  /** If it is a file of the tenant, everybody can read it while the article is published */
  cover: string | null
  /** The day (UTC) of its first publication, or of its creation if it was never published */
  date: string
  status: ArticleStatus
  summary: string | null
  tags: string[]
  createdAt: string
  updatedAt: string
}

/** An article was created. */
export interface ArticleCreatedEvent {
  id: number
  type: 'article.created'
  occurredAt: string
  actor: EventActor
  subject: { type: 'article'; id: number }
  data: { title: string; categoryId: number | null; status: ArticleStatus; version: number }
}

/** An article was deleted, with its comments. */
export interface ArticleDeletedEvent {
  id: number
  type: 'article.deleted'
  occurredAt: string
  actor: EventActor
  subject: { type: 'article'; id: number }
  data: { title: string }
}

export interface ArticleDraft {
  title: string
  /** By default the writer, as they are called when it is read */
  author?: string | null
  categoryId?: number | null
  content?: string[]
  /** The address of a picture. A file of the tenant that is named here becomes public with the article, under `/public/files`; only its uploader or a holder of `file:manage` can name it, and it has to be an image */
  cover?: string | null
  status?: ArticleStatus
  summary?: string | null
  tags?: string[]
}

export interface ArticlePage {
  items: Article[]
  page: number
  pageSize: number
  total: number
}

export interface ArticlePatch {
  title?: string
  /** By default the writer, as they are called when it is read */
  author?: string | null
  categoryId?: number | null
  content?: string[]
  /** The address of a picture. A file of the tenant that is named here becomes public with the article, under `/public/files`; only its uploader or a holder of `file:manage` can name it, and it has to be an image */
  cover?: string | null
  status?: ArticleStatus
  summary?: string | null
  tags?: string[]
}

/** An article became public. */
export interface ArticlePublishedEvent {
  id: number
  type: 'article.published'
  occurredAt: string
  actor: EventActor
  subject: { type: 'article'; id: number }
  data: { title: string; version: number }
}

export type ArticleStatus = 'draft' | 'published'

/** Fields of an article changed. */
export interface ArticleUpdatedEvent {
  id: number
  type: 'article.updated'
  occurredAt: string
  actor: EventActor
  subject: { type: 'article'; id: number }
  data: { version: number; changes: ({ field: 'title' | 'author' | 'categoryId' | 'content' | 'cover' | 'summary' | 'tags'; from: unknown; to: unknown })[] }
}

/** An article is no longer public. */
export interface ArticleWithdrawnEvent {
  id: number
  type: 'article.withdrawn'
  occurredAt: string
  actor: EventActor
  subject: { type: 'article'; id: number }
  data: { title: string; version: number }
}

export interface AttachedFile {
  /** {tenantId}/{filename} */
  key: string
  originalName: string
  contentType: string
  /** Bytes */
  size: number
  /** Hexadecimal */
  sha256: string
  /** The address for download and deletion; files that published content names are public under `/public/files` */
  url: string
  createdAt: string
  uploaderId: number
  /** What it belongs to, if anything: who sees that sees the file */
  resourceType: FileResourceType | null
  resourceId: number | null
}

export interface AuditOperation {
  id: number
  requestId: string
  tenantId: number
  userId: number | null
  username: string | null
  actorKind: ActorKind
  /** Of the key that a service account called with */
  keyPrefix: string | null
  method: string
  path: string
  route: string
  status: number
  /** Milliseconds */
  duration: number
  ip: string
  userAgent: string
  createdAt: string
  /** SHA-256, as hexadecimal digits; null until it is added */
  chain: string | null
}

export interface BlogComment {
  id: number
  articleId: number
  username: string
  content: string
  createdAt: string
}

export interface BlogCommentDraft {
  content: string
}

export interface BlogCommentPatch {
  status: BlogCommentStatus
}

export type BlogCommentStatus = 'published' | 'hidden'

export interface BlogPage {
  items: BlogPost[]
  page: number
  pageSize: number
  total: number
  /** The choices of a filter; the first one means all */
  categories: string[]
}

export interface BlogPost {
  id: number
  title: string
  author: string
  category: string
  content: string[]
  cover: string
  date: string
  excerpt: string
  tags: string[]
}

export interface CalendarAddress {
  /** Shown once; subscribe to it in a calendar program */
  url: string
}

export interface Category {
  id: number
  name: string
  slug: string
  description: string | null
  status: CategoryStatus
  /** Articles that the caller may see */
  articleCount: number
}

/** A category was created. */
export interface CategoryCreatedEvent {
  id: number
  type: 'category.created'
  occurredAt: string
  actor: EventActor
  subject: { type: 'category'; id: number }
  data: { name: string; slug: string }
}

/** A category without articles was deleted. */
export interface CategoryDeletedEvent {
  id: number
  type: 'category.deleted'
  occurredAt: string
  actor: EventActor
  subject: { type: 'category'; id: number }
  data: { name: string; slug: string }
}

export interface CategoryDraft {
  name: string
  /** Lower-case letters and digits, separated by hyphens; other spellings are converted, and a missing slug is derived from the name */
  slug?: string | null
  description?: string | null
  status?: CategoryStatus
}

export interface CategoryPatch {
  name?: string
  /** Lower-case letters and digits, separated by hyphens; other spellings are converted, and a missing slug is derived from the name */
  slug?: string | null
  description?: string | null
  status?: CategoryStatus
}

export type CategoryStatus = 'active' | 'inactive'

/** Fields of a category changed. */
export interface CategoryUpdatedEvent {
  id: number
  type: 'category.updated'
  occurredAt: string
  actor: EventActor
  subject: { type: 'category'; id: number }
  data: { changes: ({ field: 'name' | 'slug' | 'description' | 'status'; from: unknown; to: unknown })[] }
}

export type CheckoutChannel = 'alipay' | 'wechat' | 'card'

export interface CheckoutRequest {
  planId: number
  channel: CheckoutChannel
}

/** Somebody commented on an article. */
export interface CommentCreatedEvent {
  id: number
  type: 'comment.created'
  occurredAt: string
  actor: EventActor
  subject: { type: 'comment'; id: number }
  data: { articleId: number }
}

/** A comment was hidden from the public, or shown again. */
export interface CommentModeratedEvent {
  id: number
  type: 'comment.moderated'
  occurredAt: string
  actor: EventActor
  subject: { type: 'comment'; id: number }
  data: { articleId: number; status: BlogCommentStatus }
}

export interface ConfigEntry {
  id: number
  name: string
  key: string
  value: string
  type: 'built-in' | 'custom'
  remark: string
  createdAt: string
}

export interface ConfigEntryPage {
  items: ConfigEntry[]
  page: number
  pageSize: number
  total: number
}

export interface ContactDraft {
  email: string
  name?: string | null
  message?: string | null
}

export interface ContactMessage {
  id: number
  email: string
  name: string | null
  message: string | null
  handled: boolean
  createdAt: string
}

/** A message of a visitor was deleted. */
export interface ContactMessageDeletedEvent {
  id: number
  type: 'contact_message.deleted'
  occurredAt: string
  actor: EventActor
  subject: { type: 'contact_message'; id: number }
  data: {  }
}

/** A message was marked as handled, or as open again. */
export interface ContactMessageHandledEvent {
  id: number
  type: 'contact_message.handled'
  occurredAt: string
  actor: EventActor
  subject: { type: 'contact_message'; id: number }
  data: { handled: boolean }
}

export interface ContactMessagePatch {
  handled: boolean
}

/** A visitor wrote to the tenant. */
export interface ContactMessageReceivedEvent {
  id: number
  type: 'contact_message.received'
  occurredAt: string
  actor: EventActor
  subject: { type: 'contact_message'; id: number }
  data: {  }
}

export interface ContactReceipt {
  accepted: true
  email: string
  submittedAt: string
}

export interface CreatedKey {
  id: number
  name: string
  /** The beginning of the key, by which it is recognized */
  prefix: string
  permissions: string[] | null
  expiresAt: string | null
  /** To within ten seconds */
  lastUsedAt: string | null
  createdAt: string
  /** The key itself, shown only in this answer */
  key: string
}

export interface CreatedWebhook {
  id: number
  url: string
  types: string[]
  description: string | null
  /** `failing` from the third failed attempt in a row until one is delivered */
  status: WebhookStatus
  createdAt: string
  version: number
  /** The secret that signs its deliveries, shown only in this answer */
  secret: string
}

export interface Credentials {
  username: string
  password: string
  /** Of the second factor: six digits of the app, or a recovery code */
  code?: string | null
  tenantCode?: string | null
}

export interface DashboardStats {
  todayVisits: number
  totalUsers: number
  activeUsers: number
  todayOrders: number
  weeklyGrowth: number
  monthlyRevenue: number
  conversionRate: number
  systemUptime: number
  weeklyTrend: { days: string[]; visits: number[]; users: number[] }
  roleDistribution: ({ name: string; value: number })[]
  topPages: ({ path: string; title: string; visits: number })[]
  recentActivities: ({ id: number; user: string; action: string; time: string })[]
}

export interface DataOverview {
  stats: ({ border: string; prefix?: string; suffix: string; title: string; value: number })[]
  recent: ({ date: string; type: string; amount: string; status: string })[]
}

export interface DatabaseServer {
  version: string
  bytes: number
  connections: { used: number; most: number }
}

export interface DemoDepartment {
  id: number
  name: string
  leader: string
  order: number
  status: 'active' | 'inactive'
  createdAt: string
  children?: DemoDepartment[]
}

export interface Department {
  id: number
  parentId: number | null
  name: string
  code: string
  leaderId: number | null
  leaderName: string | null
  sort: number
  status: ActiveStatus
  memberCount: number
  version: number
  children: Department[]
}

/** A department was created. */
export interface DepartmentCreatedEvent {
  id: number
  type: 'department.created'
  occurredAt: string
  actor: EventActor
  subject: { type: 'department'; id: number }
  data: { name: string; code: string; parentId: number | null; leaderId: number | null }
}

/** A department was deleted. */
export interface DepartmentDeletedEvent {
  id: number
  type: 'department.deleted'
  occurredAt: string
  actor: EventActor
  subject: { type: 'department'; id: number }
  data: { name: string; code: string }
}

export interface DepartmentDraft {
  name: string
  code: string
  parentId?: number | null
  leaderId?: number | null
  sort?: number
  status?: ActiveStatus
}

export interface DepartmentMember {
  id: number
  username: string
  nickname: string | null
  status: ActiveStatus
}

/** A person joined a department, and left the one before. */
export interface DepartmentMemberAddedEvent {
  id: number
  type: 'department.member_added'
  occurredAt: string
  actor: EventActor
  subject: { type: 'department'; id: number }
  data: { userId: number }
}

/** A person left a department. */
export interface DepartmentMemberRemovedEvent {
  id: number
  type: 'department.member_removed'
  occurredAt: string
  actor: EventActor
  subject: { type: 'department'; id: number }
  data: { userId: number }
}

export interface DepartmentPatch {
  name: string
  code: string
  parentId?: number | null
  leaderId?: number | null
  sort?: number
  status?: ActiveStatus
  /** The version that was read. With an older one nothing is changed */
  version?: number
}

/** Fields of a department changed, such as its leader. */
export interface DepartmentUpdatedEvent {
  id: number
  type: 'department.updated'
  occurredAt: string
  actor: EventActor
  subject: { type: 'department'; id: number }
  data: { changes: ({ field: 'name' | 'code' | 'parentId' | 'leaderId' | 'sort' | 'status'; from: unknown; to: unknown })[] }
}

export interface Dictionary {
  id: number
  name: string
  type: string
  status: 'active' | 'inactive'
  remark: string
  createdAt: string
  data: ({ label: string; value: string })[]
}

export interface DictionaryPage {
  items: Dictionary[]
  page: number
  pageSize: number
  total: number
}

export interface DirectoryEntry {
  id: number
  username: string
  nickname: string | null
  avatarUrl: string | null
  status: DirectoryStatus
}

export type DirectoryStatus = 'active' | 'disabled' | 'deleted'

export interface EmailConfirmRequest {
  /** From the fragment of the link */
  token: string
}

export interface ErrorLog {
  id: number
  type: string
  message: string
  page: string
  stack: string
  browser: string
  os: string
  status: 'pending' | 'resolved'
  createdAt: string
}

export interface ErrorLogPage {
  items: ErrorLog[]
  page: number
  pageSize: number
  total: number
}

export interface Event {
  id: number
  type: EventType
  occurredAt: string
  actor: EventActor
  subject: EventSubject
  data: { [field: string]: unknown }
}

export interface EventActor {
  kind: 'user' | 'service' | 'system'
  id: number | null
  name: string
}

export interface EventSubject {
  type: string
  id: number
}

export type EventType =
  | 'tenant.created'
  | 'tenant.updated'
  | 'tenant.disabled'
  | 'tenant.closed'
  | 'tenant.reopened'
  | 'tenant.enabled'
  | 'organization.updated'
  | 'department.created'
  | 'department.updated'
  | 'department.deleted'
  | 'department.member_added'
  | 'department.member_removed'
  | 'user.created'
  | 'user.updated'
  | 'user.disabled'
  | 'user.enabled'
  | 'user.deleted'
  | 'user.restored'
  | 'user.substitute_named'
  | 'user.substitute_dismissed'
  | 'role.created'
  | 'role.updated'
  | 'role.deleted'
  | 'project.created'
  | 'project.updated'
  | 'project.owner_changed'
  | 'project.archived'
  | 'project.unarchived'
  | 'project.member_added'
  | 'project.member_removed'
  | 'task.created'
  | 'task.updated'
  | 'task.commented'
  | 'approval.created'
  | 'approval.updated'
  | 'approval.submitted'
  | 'approval.step_approved'
  | 'approval.approved'
  | 'approval.rejected'
  | 'approval.cancelled'
  | 'approval.reassigned'
  | 'approval.handed_over'
  | 'file.uploaded'
  | 'file.attached'
  | 'file.detached'
  | 'file.deleted'
  | 'article.created'
  | 'article.updated'
  | 'article.published'
  | 'article.withdrawn'
  | 'article.deleted'
  | 'category.created'
  | 'category.updated'
  | 'category.deleted'
  | 'portal.updated'
  | 'contact_message.received'
  | 'contact_message.handled'
  | 'contact_message.deleted'
  | 'comment.created'
  | 'comment.moderated'
  | 'order.created'
  | 'order.paid'
  | 'order.expired'
  | 'order.refunded'
  | 'user.invited'
  | 'invitation.accepted'
  | 'invitation.handed_over'
  | 'invitation.withdrawn'
  | 'identity_provider.updated'
  | 'identity_provider.removed'
  | 'key.created'
  | 'key.revoked'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.deleted'
  | 'webhook.secret_rotated'
  | 'webhook.replayed'
  | 'webhook.redelivered'
  | 'webhook.tested'

export interface Failure {
  /** The HTTP status */
  code: number
  /** A message for people, in the language of the request */
  message: string
  data: null
  error: { type: FailureType; details: ({ path?: string; message: string; [field: string]: unknown })[] }
  requestId: string
}

/** A stable name for programs to decide on */
export type FailureType =
  | 'ADDRESS_NOT_CONFIGURED'
  | 'ALREADY_DECIDED'
  | 'APPROVALS_WAITING'
  | 'APPROVER_CANNOT_DECIDE'
  | 'ASSIGNEE_NOT_MEMBER'
  | 'BAD_REQUEST'
  | 'CANNOT_TAKE_OVER'
  | 'CATEGORY_NOT_EMPTY'
  | 'CATEGORY_TAKEN'
  | 'DATE_ORDER'
  | 'DEPARTMENTS_TOO_DEEP'
  | 'DEPARTMENT_CODE_TAKEN'
  | 'DEPARTMENT_CYCLE'
  | 'DEPARTMENT_DISABLED'
  | 'DEPARTMENT_HAS_NO_LEADER'
  | 'DEPARTMENT_NOT_EMPTY'
  | 'DEPARTMENT_REQUIRED'
  | 'EMAIL_TOKEN_NOT_FOUND'
  | 'FILE_IN_USE'
  | 'FILE_REJECTED'
  | 'HEADERS_TOO_LARGE'
  | 'IDEMPOTENCY_KEY_REQUIRED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'ILLEGAL_TRANSITION'
  | 'INTERNAL'
  | 'INVALID_CREDENTIALS'
  | 'INVALID_REFRESH_TOKEN'
  | 'LAST_ADMINISTRATOR'
  | 'MAIL_NOT_CONFIGURED'
  | 'MAIL_NOT_DEAD'
  | 'MALFORMED_JSON'
  | 'MEMBER_HAS_OPEN_TASKS'
  | 'MEMBER_IS_LEADER'
  | 'MENU_CYCLE'
  | 'MENU_NOT_EMPTY'
  | 'METHOD_NOT_ALLOWED'
  | 'NICKNAME_TAKEN'
  | 'NOT_APPLICANT'
  | 'NOT_CURRENT_APPROVER'
  | 'NOT_FOUND'
  | 'NOT_IN_TENANT'
  | 'NOT_OWNER'
  | 'OUTCOME_UNKNOWN'
  | 'OWNER_CANNOT_LEAVE'
  | 'PAGE_TOO_DEEP'
  | 'PASSWORD_CHANGE_REQUIRED'
  | 'PASSWORD_SIGN_IN_FORBIDDEN'
  | 'PAYLOAD_TOO_LARGE'
  | 'PERMISSION_CODE_TAKEN'
  | 'PERMISSION_DENIED'
  | 'PERMISSION_IN_USE'
  | 'PLAN_NOT_PAYABLE'
  | 'PRECONDITION_FAILED'
  | 'PROJECT_ARCHIVED'
  | 'PROJECT_CODE_TAKEN'
  | 'PROJECT_NOT_ARCHIVED'
  | 'QUOTA_EXCEEDED'
  | 'RANGE_NOT_SATISFIABLE'
  | 'RATE_LIMITED'
  | 'REGISTRATION_CLOSED'
  | 'REQUEST_TIMEOUT'
  | 'RESERVED'
  | 'RESET_NOT_FOUND'
  | 'ROLE_CODE_TAKEN'
  | 'ROLE_IN_USE'
  | 'ROLE_REQUIRED'
  | 'ROUTE_NOT_FOUND'
  | 'SECOND_FACTOR_MISSING'
  | 'SECOND_FACTOR_REQUIRED'
  | 'SECRET_UNREADABLE'
  | 'STORAGE_FULL'
  | 'SUBSTITUTE_CANNOT_DECIDE'
  | 'TASK_FINISHED'
  | 'TENANT_CLOSING'
  | 'TENANT_CODE_TAKEN'
  | 'TENANT_DISABLED'
  | 'TENANT_ERASING'
  | 'TENANT_EXPIRED'
  | 'TENANT_INCOMPLETE'
  | 'TENANT_NOT_CLOSING'
  | 'TENANT_NOT_FOUND'
  | 'TOO_COSTLY'
  | 'TOO_MUCH_AT_ONCE'
  | 'UNAUTHENTICATED'
  | 'UNAVAILABLE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'URI_TOO_LONG'
  | 'USERNAME_TAKEN'
  | 'USER_IN_USE'
  | 'VALIDATION_FAILED'
  | 'VERSION_CONFLICT'
  | 'WRONG_PASSWORD'
  | 'ALREADY_MEMBER'
  | 'INVITATION_NOT_FOUND'
  | 'INVITATION_PENDING'
  | 'INVALID_SIGN_IN_CODE'
  | 'PROVIDER_UNREACHABLE'
  | 'STATE_MISMATCH'
  | 'AMOUNT_DIFFERS'
  | 'INVALID_SIGNATURE'
  | 'EXPORT_RUNNING'
  | 'SECOND_FACTOR_EXISTS'
  | 'WRONG_CODE'
  | 'ADDRESS_REFUSED'
  | 'ADDRESS_UNKNOWN'
  | 'EVENT_NOT_KEPT'

/** A file was attached to a task, a request or an article. */
export interface FileAttachedEvent {
  id: number
  type: 'file.attached'
  occurredAt: string
  actor: EventActor
  subject: { type: 'file'; id: number }
  data: { filename: string; resourceType: string; resourceId: number }
}

/** A file was deleted. */
export interface FileDeletedEvent {
  id: number
  type: 'file.deleted'
  occurredAt: string
  actor: EventActor
  subject: { type: 'file'; id: number }
  data: { filename: string }
}

/** A file no longer belongs to the thing that it was attached to. */
export interface FileDetachedEvent {
  id: number
  type: 'file.detached'
  occurredAt: string
  actor: EventActor
  subject: { type: 'file'; id: number }
  data: { filename: string; resourceType: string; resourceId: number }
}

export type FileResourceType = 'task' | 'approval' | 'article'

/** A file was uploaded. */
export interface FileUploadedEvent {
  id: number
  type: 'file.uploaded'
  occurredAt: string
  actor: EventActor
  subject: { type: 'file'; id: number }
  data: { originalName: string; contentType: string; size: number; sha256: string; filename: string }
}

export interface Finding {
  name: string
  state: 'ok' | 'warning' | 'failed'
  message: string
  /** What to do about it */
  cure: string | null
}

export interface HandOver {
  toUserId: number
}

export interface HandedOver {
  departments: number
  projects: number
  tasks: number
  approvals: number
  invitations: number
}

export interface Health {
  version: string
  commit: string | null
  /** When the process started that has run for the longest */
  startedAt: string
  /** How many are applied */
  migrations: number
  database: DatabaseServer
  readiness: { status: 'ok' | 'degraded' | 'unavailable' | 'stopping'; checks: { [name: string]: ReadinessCheck } }
  series: HealthSeries[]
}

export interface HealthSeries {
  name: string
  /** `1/s`, `ms`, `ratio` (0 to 1), `count` or `bytes` */
  unit: string
  /** Oldest first */
  points: ([string, number])[]
}

export interface IdentityProvider {
  issuer: string
  clientId: string
  groupsClaim: string | null
  /** The code of the role that each group gives */
  groupRoles: { [name: string]: string }
  createUsers: boolean
  passwordSignIn: PasswordSignIn
  ownRedirect: boolean
  /** The address of Atrium that the provider must know */
  redirectUri: string
  version: number
}

export interface IdentityProviderDraft {
  issuer?: string
  clientId?: string
  /** Never shown again */
  clientSecret?: string
  /** The claim that lists the groups of a person; without it, groups give no roles */
  groupsClaim?: string | null
  /** The code of the role that each group gives */
  groupRoles?: { [name: string]: string }
  /** Whether somebody whom only the provider knows gets an account */
  createUsers?: boolean
  passwordSignIn?: PasswordSignIn
  /** Whether the provider leads people back to an address of this tenant alone, which it must then know instead of the shared one. Recommended if its discovery lacks `authorization_response_iss_parameter_supported` */
  ownRedirect?: boolean
  version?: number
}

/** The tenant has no identity provider any more. */
export interface IdentityProviderRemovedEvent {
  id: number
  type: 'identity_provider.removed'
  occurredAt: string
  actor: EventActor
  subject: { type: 'tenant'; id: number }
  data: { issuer: string }
}

/** People sign in at another identity provider from now on, or under other conditions. */
export interface IdentityProviderUpdatedEvent {
  id: number
  type: 'identity_provider.updated'
  occurredAt: string
  actor: EventActor
  subject: { type: 'tenant'; id: number }
  data: { changes: ({ field: 'issuer' | 'clientId' | 'clientSecret' | 'groupsClaim' | 'groupRoles' | 'createUsers' | 'passwordSignIn' | 'ownRedirect'; from: unknown; to: unknown })[] }
}

export interface Invitation {
  id: number
  email: string
  /** Codes; a role that was deleted is not among them any more */
  roles: string[]
  departmentId: number | null
  /** `withdrawn` also as long as the person who sent it could not send it now: they have gone, are disabled or have lost a right, or its roles were deleted. Another person can send it again. */
  status: InvitationStatus
  /** What became of its mail: `dead` if the mail server refused it or could not be reached for a day; `null` if none was sent, or 30 days later */
  mailStatus: MailStatus | null
  expiresAt: string
  createdAt: string
  /** Who sent it last */
  invitedById: number
  invitedByName: string
}

export interface InvitationAcceptRequest {
  /** From the fragment of the link */
  token: string
  username: string
  password: string
  nickname?: string | null
}

/** An invited person has an account. */
export interface InvitationAcceptedEvent {
  id: number
  type: 'invitation.accepted'
  occurredAt: string
  actor: EventActor
  subject: { type: 'invitation'; id: number }
  data: { userId: number }
}

export interface InvitationDraft {
  email: string
  /** What the person may do; by default the role `user` */
  roleIds?: number[] | null
  departmentId?: number | null
  /** Some words to the person, shown in the mail */
  note?: string | null
}

/** Somebody else answers for an invitation. */
export interface InvitationHandedOverEvent {
  id: number
  type: 'invitation.handed_over'
  occurredAt: string
  actor: EventActor
  subject: { type: 'invitation'; id: number }
  data: { from: number; to: number }
}

export interface InvitationPreview {
  tenantCode: string
  tenantName: string
  email: string
  invitedByName: string
  expiresAt: string
}

export interface InvitationPreviewRequest {
  /** From the fragment of the link */
  token: string
}

export type InvitationStatus = 'pending' | 'accepted' | 'withdrawn' | 'expired'

/** An invitation was withdrawn. */
export interface InvitationWithdrawnEvent {
  id: number
  type: 'invitation.withdrawn'
  occurredAt: string
  actor: EventActor
  subject: { type: 'invitation'; id: number }
  data: {  }
}

export interface Job {
  name: string
  lastRunAt: string | null
  lastDurationMs: number | null
  lastResult: 'ok' | 'failed' | null
  nextRunAt: string | null
}

export interface Key {
  id: number
  name: string
  /** The beginning of the key, by which it is recognized */
  prefix: string
  permissions: string[] | null
  expiresAt: string | null
  /** To within ten seconds */
  lastUsedAt: string | null
  createdAt: string
}

/** A service account got a key. */
export interface KeyCreatedEvent {
  id: number
  type: 'key.created'
  occurredAt: string
  actor: EventActor
  subject: { type: 'key'; id: number }
  data: { userId: number; prefix: string; permissions: string[] | null }
}

export interface KeyDraft {
  name: string
  /** By default it does not expire */
  expiresAt?: string | null
  /** The only permissions that the key gives, of those that its account has; by default all of them */
  permissions?: string[] | null
}

/** A key of a service account was revoked. */
export interface KeyRevokedEvent {
  id: number
  type: 'key.revoked'
  occurredAt: string
  actor: EventActor
  subject: { type: 'key'; id: number }
  data: { userId: number }
}

export type Locale = 'en' | 'zh-CN'

export interface LoginLog {
  id: number
  username: string
  ip: string
  browser: string
  os: string
  status: 'success' | 'fail'
  message: string
  createdAt: string
}

export interface LoginLogPage {
  items: LoginLog[]
  page: number
  pageSize: number
  total: number
}

export interface LogoutRequest {
  refreshToken?: string | null
}

export interface Mail {
  id: number
  kind: MailKind
  recipient: string
  status: MailStatus
  attempts: number
  /** Why the last attempt failed, as the mail server said it */
  lastError: string | null
  createdAt: string
}

export type MailKind =
  | 'PASSWORD_RESET'
  | 'EMAIL_CONFIRMATION'
  | 'EMAIL_CHANGED'
  | 'MAIL_TEST'
  | 'NEWS'
  | 'NEWS_DAILY'
  | 'INVITATION'
  | 'INVITATION_WITH_NOTE'
  | 'SECOND_FACTOR_ADDED'
  | 'SECOND_FACTOR_REMOVED'

export type MailSetting = 'at_once' | 'daily' | 'never'

export type MailStatus = 'waiting' | 'sent' | 'dead'

export interface Me {
  id: number
  tenantId: number
  /** The tenant that the request is in */
  tenant: { code: string; name: string }
  username: string
  nickname: string | null
  email: string | null
  roles: string[]
  permissions: string[]
}

export interface Menu {
  id: number
  /** 0 is the root */
  parentId: number
  name: string
  path: string | null
  component: string | null
  icon: string | null
  sort: number
  visible: boolean
  permission: string | null
  type: MenuType
  children: Menu[]
}

export interface MenuDraft {
  /** 0 is the root */
  parentId?: number | null
  name: string
  path?: string | null
  component?: string | null
  icon?: string | null
  sort?: number
  visible?: boolean
  permission?: string | null
  type?: MenuType
}

export interface MenuPatch {
  /** 0 is the root */
  parentId?: number | null
  name?: string
  path?: string | null
  component?: string | null
  icon?: string | null
  sort?: number
  visible?: boolean
  permission?: string | null
  type?: MenuType
}

export type MenuType = 'directory' | 'menu' | 'button'

export interface ModeratedComment {
  id: number
  articleId: number
  username: string
  content: string
  createdAt: string
  status: BlogCommentStatus
}

export interface NewSecondFactor {
  /** In base32, for typing it into an app */
  secret: string
  /** For the QR code that an app scans */
  otpauthUrl: string
}

export interface Notice {
  id: number
  title: string
  type: string
  status: 'active' | 'inactive'
  author: string
  createdAt: string
  content: string
}

export interface NoticePage {
  items: Notice[]
  page: number
  pageSize: number
  total: number
}

export interface Notification {
  id: number
  type: NotificationType
  title: string
  content: string | null
  receiverId: number
  read: boolean
  readAt: string | null
  resourceType: 'user' | 'department' | 'project' | 'task' | 'approval' | 'article' | 'contact_message' | null | 'tenant' | 'webhook'
  resourceId: number | null
  createdAt: string
}

export type NotificationType =
  | 'USER_REGISTERED'
  | 'DEPARTMENT_HANDED_OVER'
  | 'SUBSTITUTE_FOR'
  | 'SUBSTITUTE_NAMED'
  | 'SUBSTITUTE_DISMISSED'
  | 'PROJECT_HANDED_OVER'
  | 'PROJECTS_HANDED_OVER'
  | 'PROJECT_MEMBER_ADDED'
  | 'TASK_ASSIGNED'
  | 'TASKS_HANDED_OVER'
  | 'TASK_COMMENTED'
  | 'APPROVAL_PENDING'
  | 'APPROVAL_APPROVED'
  | 'APPROVAL_REJECTED'
  | 'APPROVAL_HANDED_OVER'
  | 'APPROVALS_HANDED_OVER'
  | 'APPROVAL_CANCELLED'
  | 'CONTACT_RECEIVED'
  | 'TASK_DUE'
  | 'INVITATIONS_HANDED_OVER'
  | 'INVITATION_ACCEPTED'
  | 'TENANT_EXPIRES'
  | 'WEBHOOK_GAVE_UP'

export interface OnlineUsers {
  items: ({ id: number; username: string; realName: string; department: string; ip: string; browser: string; os: string; loginAt: string })[]
  total: number
}

export interface OperationLog {
  id: number
  username: string
  module: string
  action: string
  description: string
  ip: string
  method: string
  status: 'success' | 'fail'
  duration: number
  createdAt: string
}

export interface OperationLogPage {
  items: OperationLog[]
  page: number
  pageSize: number
  total: number
}

/** Somebody ordered a plan, or a renewal of the tenant. */
export interface OrderCreatedEvent {
  id: number
  type: 'order.created'
  occurredAt: string
  actor: EventActor
  subject: { type: 'order'; id: number }
  data: { orderNo: string; amountCents: number; currency: string; planId: number | null; channel: CheckoutChannel }
}

/** The payment provider has closed an order that was not paid. */
export interface OrderExpiredEvent {
  id: number
  type: 'order.expired'
  occurredAt: string
  actor: EventActor
  subject: { type: 'order'; id: number }
  data: { orderNo: string; amountCents: number; currency: string }
}

/** An order was paid. */
export interface OrderPaidEvent {
  id: number
  type: 'order.paid'
  occurredAt: string
  actor: EventActor
  subject: { type: 'order'; id: number }
  data: { orderNo: string; amountCents: number; currency: string }
}

/** The payment provider has refunded an order. */
export interface OrderRefundedEvent {
  id: number
  type: 'order.refunded'
  occurredAt: string
  actor: EventActor
  subject: { type: 'order'; id: number }
  data: { orderNo: string; amountCents: number; currency: string }
}

export interface Organization {
  id: number
  tenantId: number
  name: string
  code: string
  status: ActiveStatus
}

export interface OrganizationPatch {
  name?: string
  status?: ActiveStatus
}

/** The organization was renamed, disabled or enabled. */
export interface OrganizationUpdatedEvent {
  id: number
  type: 'organization.updated'
  occurredAt: string
  actor: EventActor
  subject: { type: 'organization'; id: number }
  data: { changes: ({ field: 'name' | 'status'; from: unknown; to: unknown })[] }
}

export interface PasswordChange {
  currentPassword: string
  newPassword: string
}

export interface PasswordResetConfirmRequest {
  /** From the fragment of the link */
  token: string
  newPassword: string
}

export interface PasswordResetRequest {
  username?: string | null
  email?: string | null
  tenantCode?: string | null
}

export type PasswordSignIn = 'allowed' | 'forbidden'

export interface PaymentCallback {
  [field: string]: unknown
}

export interface PaymentOrder {
  id: number
  orderNo: string
  /** null if the order renews the tenant */
  planId: number | null
  planName: string
  amountCents: number
  currency: 'CNY'
  channel: CheckoutChannel
  /** So many days the tenant is extended by once it is paid */
  renewalDays: number | null
  status: 'pending' | 'paid' | 'expired' | 'refunded'
  userId: number
  userName: string
  checkoutUrl: string
  createdAt: string
  expiresAt: string
}

export interface Permission {
  id: number
  code: string
  name: string
  description: string | null
  createdAt: string
}

export interface PermissionDraft {
  code: string
  name: string
  description?: string | null
}

export interface PermissionPatch {
  code?: string
  name?: string
  description?: string | null
}

export interface PortalAbout {
  intro: string
  stats: ({ label: string; value: string })[]
  team: ({ name: string; role: string; avatar: string })[]
  milestones: ({ date: string; title: string; description: string })[]
}

export interface PortalFeature {
  id: number
  title: string
  description: string
  icon: string
}

export interface PortalGuide {
  id: number
  title: string
  description: string
  items: ({ path: string; title: string })[]
}

export interface PortalHome {
  highlights: ({ title: string; description: string })[]
  stats: ({ label: string; value: string })[]
  testimonials: ({ content: string; name: string; role: string })[]
}

export interface PortalPlan {
  id: number
  name: string
  description: string
  /** As it is printed */
  price: string
  period: string
  features: string[]
  highlighted: boolean
  /** The amount to pay; 0 is free, null is negotiable */
  amountCents: number | null
  currency: 'CNY'
}

export interface PortalProduct {
  name: string
  slogan: string
  highlights: ({ title: string; description: string })[]
}

export interface PortalQuestion {
  id: number
  question: string
  answer: string
  category: string
}

/** What `/public/{section}` returns: `PortalHome`, `PortalProduct`, `PortalAbout`, or the list of the section */
export type PortalSection =
  | PortalHome
  | PortalFeature[]
  | PortalProduct
  | PortalPlan[]
  | PortalQuestion[]
  | PortalGuide[]
  | PortalAbout

/** A section of the public pages was written. */
export interface PortalUpdatedEvent {
  id: number
  type: 'portal.updated'
  occurredAt: string
  actor: EventActor
  subject: { type: 'tenant'; id: number }
  data: { section: string }
}

export interface Profile {
  id: number
  username: string
  nickname: string | null
  email: string | null
  phone: string | null
  realName: string | null
  status: UserStatus
  roles: string[]
  /** Registered without being invited: of files, they see only their own until this is cleared */
  selfRegistered: boolean
  /** When they last proved who they are; null if they never did */
  lastSignInAt: string | null
  version: number
  createdAt: string
  updatedAt: string
  locale: Locale | null
  timeZone: string | null
  mail: MailSetting
  /** The picture that others see of them, at `/public/files/{avatarKey}` */
  avatarKey: string | null
  /** Decides for them, from a day to another; also before the first day */
  substitute: Substitute | null
  /** Whether the person showed that they read what is sent to `email` */
  emailVerified: boolean
  /** A new address that waits until it is confirmed */
  pendingEmail: string | null
  /** Whether a second factor protects the account */
  secondFactor: boolean
  /** Whether everything else is refused until the password is changed */
  mustChangePassword: boolean
}

export interface ProfilePatch {
  nickname?: string | null
  email?: string | null
  phone?: string | null
  realName?: string | null
  /** The language of mail; null stands for that of the tenant */
  locale?: Locale | null
  /** null stands for that of the tenant */
  timeZone?: string | null
  /** How notifications are mailed to a verified address; `daily` at 08:00 */
  mail?: MailSetting
  /** The `key` of an image that the person has uploaded; it becomes public */
  avatarKey?: string | null
  /** Needed to change the e-mail address */
  currentPassword?: string | null
}

export interface Project {
  id: number
  name: string
  code: string
  description: string | null
  ownerId: number
  ownerName: string
  status: ProjectStatus
  startDate: string | null
  endDate: string | null
  version: number
  memberIds: number[]
  createdAt: string
  updatedAt: string
  archivedAt: string | null
}

export type ProjectAction =
  | 'PROJECT_CREATED'
  | 'PROJECT_UPDATED'
  | 'PROJECT_OWNER_CHANGED'
  | 'PROJECT_ARCHIVED'
  | 'PROJECT_UNARCHIVED'
  | 'PROJECT_MEMBER_ADDED'
  | 'PROJECT_MEMBER_REMOVED'

export interface ProjectActivity {
  id: number
  projectId: number
  actorId: number
  actorName: string
  action: ProjectAction
  detail: string | null
  createdAt: string
}

/** A project was archived. */
export interface ProjectArchivedEvent {
  id: number
  type: 'project.archived'
  occurredAt: string
  actor: EventActor
  subject: { type: 'project'; id: number }
  data: { version: number }
}

/** A project was created; its creator is its owner and first member. */
export interface ProjectCreatedEvent {
  id: number
  type: 'project.created'
  occurredAt: string
  actor: EventActor
  subject: { type: 'project'; id: number }
  data: { name: string; code: string; ownerId: number; startDate: string | null; endDate: string | null; version: number }
}

export interface ProjectDraft {
  name: string
  code: string
  description?: string | null
  startDate?: string | null
  endDate?: string | null
}

export interface ProjectMember {
  userId: number
  username: string
  nickname: string | null
  avatarUrl: string | null
  status: DirectoryStatus
  since: string
}

/** A person became a member of a project. */
export interface ProjectMemberAddedEvent {
  id: number
  type: 'project.member_added'
  occurredAt: string
  actor: EventActor
  subject: { type: 'project'; id: number }
  data: { userId: number }
}

/** A person is no longer a member of a project. */
export interface ProjectMemberRemovedEvent {
  id: number
  type: 'project.member_removed'
  occurredAt: string
  actor: EventActor
  subject: { type: 'project'; id: number }
  data: { userId: number }
}

/** A project got another owner. */
export interface ProjectOwnerChangedEvent {
  id: number
  type: 'project.owner_changed'
  occurredAt: string
  actor: EventActor
  subject: { type: 'project'; id: number }
  data: { version: number; from: number; to: number }
}

export interface ProjectPatch {
  name?: string
  description?: string | null
  startDate?: string | null
  endDate?: string | null
  /** The new owner: an active user, who becomes a member */
  ownerId?: number
  /** The version that was read; may be omitted if If-Match is sent */
  version?: number
}

export type ProjectStatus = 'ACTIVE' | 'ARCHIVED'

/** An archived project was opened again. */
export interface ProjectUnarchivedEvent {
  id: number
  type: 'project.unarchived'
  occurredAt: string
  actor: EventActor
  subject: { type: 'project'; id: number }
  data: { version: number }
}

/** Fields of a project changed. */
export interface ProjectUpdatedEvent {
  id: number
  type: 'project.updated'
  occurredAt: string
  actor: EventActor
  subject: { type: 'project'; id: number }
  data: { version: number; changes: ({ field: 'name' | 'description' | 'startDate' | 'endDate'; from: unknown; to: unknown })[] }
}

export interface ReadinessCheck {
  status: 'ok' | 'away' | 'behind' | 'open' | 'failing'
  ms: number
}

export interface RecoveryCodes {
  /** Ten codes, each of which works once */
  recoveryCodes: string[]
}

export interface RefreshRequest {
  refreshToken: string
}

export interface Registration {
  username: string
  email: string
  password: string
  tenantCode?: string | null
}

export interface RenewalRequest {
  channel: CheckoutChannel
}

export interface ResourceOfFile {
  resourceType: FileResourceType | null
  resourceId: number | null
}

export interface Responsibilities {
  departments: Responsibility[]
  projects: Responsibility[]
  tasks: Responsibility[]
  approvals: Responsibility[]
  invitations: Responsibility[]
}

export interface Responsibility {
  id: number
  name: string
}

export interface RestorationDraft {
  username: string
  /** At least six characters; the person can choose a better one */
  password: string
  nickname?: string | null
  email?: string | null
}

export interface Role {
  id: number
  code: string
  name: string
  description: string | null
  permissions: string[]
  menuIds: number[]
  createdAt: string
  updatedAt: string
}

/** A role was created. */
export interface RoleCreatedEvent {
  id: number
  type: 'role.created'
  occurredAt: string
  actor: EventActor
  subject: { type: 'role'; id: number }
  data: { code: string; name: string; permissions: string[] }
}

/** A role was deleted; nobody held it. */
export interface RoleDeletedEvent {
  id: number
  type: 'role.deleted'
  occurredAt: string
  actor: EventActor
  subject: { type: 'role'; id: number }
  data: { code: string }
}

export interface RoleDraft {
  /** Letters, digits, hyphens and underscores; other spellings are converted, and a missing code is derived from the name */
  code?: string | null
  name: string
  description?: string | null
  permissionIds?: number[] | null
  menuIds?: number[] | null
}

export interface RolePage {
  items: Role[]
  page: number
  pageSize: number
  total: number
}

export interface RolePatch {
  code?: string
  name?: string
  description?: string | null
  permissionIds?: number[] | null
  menuIds?: number[] | null
}

/** A role was renamed, or gives other rights or menus. */
export interface RoleUpdatedEvent {
  id: number
  type: 'role.updated'
  occurredAt: string
  actor: EventActor
  subject: { type: 'role'; id: number }
  data: { changes: ({ field: 'name' | 'description' | 'permissions' | 'menuIds'; from: unknown; to: unknown })[] }
}

export interface SecondFactorConfirmation {
  code: string
}

export interface SecondFactorRemoval {
  password: string
}

export interface SecondFactorRequest {
  /** Required of people who have one */
  password?: string
}

export interface SentInvitation {
  id: number
  email: string
  /** Codes; a role that was deleted is not among them any more */
  roles: string[]
  departmentId: number | null
  /** `withdrawn` also as long as the person who sent it could not send it now: they have gone, are disabled or have lost a right, or its roles were deleted. Another person can send it again. */
  status: InvitationStatus
  /** What became of its mail: `dead` if the mail server refused it or could not be reached for a day; `null` if none was sent, or 30 days later */
  mailStatus: MailStatus | null
  expiresAt: string
  createdAt: string
  /** Who sent it last */
  invitedById: number
  invitedByName: string
  /** Shown only here, and not the link in the mail: anyone who has it can accept the invitation, with an address that is not verified */
  acceptUrl: string
}

export interface ServerState {
  cpu: { usage: number; cores: number; model: string }
  memory: { total: string; used: string; usage: number }
  disk: { total: string; used: string; usage: number }
  runtime: { node: string; os: string; uptime: string; port: number }
  trend: ({ time: string; usage: number })[]
}

export interface ServiceAccount {
  id: number
  name: string
  roles: string[]
  status: UserStatus
  createdAt: string
}

export interface ServiceAccountDraft {
  name: string
  roleIds: number[]
}

export interface ServiceAccountPatch {
  name?: string
  roleIds?: number[] | null
  status?: UserStatus
}

export interface Session {
  id: number
  /** The one that asks */
  current: boolean
  createdAt: string
  lastSeenAt: string
  /** Where it was opened; null if it is older than this field */
  ip: string | null
  userAgent: string | null
  /** `provider`: the identity provider of the tenant */
  openedWith: 'password' | 'provider'
}

export interface SignInExchange {
  /** From the fragment of the page */
  code: string
  /** The secret whose `codeChallenge` was sent to `start`; required if one was sent, refused otherwise */
  codeVerifier?: string
}

export interface SignInMethods {
  /** Whether a form should ask for a user name and a password */
  password: boolean
  /** Whether a form should offer `/auth/oidc/start` */
  identityProvider: boolean
}

export interface StoredFile {
  /** {tenantId}/{filename} */
  key: string
  originalName: string
  contentType: string
  /** Bytes */
  size: number
  /** Hexadecimal */
  sha256: string
  /** The address for download and deletion; files that published content names are public under `/public/files` */
  url: string
  createdAt: string
}

export interface Substitute {
  userId: number
  name: string
  from: string
  until: string
}

export interface SubstituteDraft {
  userId: number
  /** The first day, in the tenant's time zone */
  from: string
  /** The last day */
  until: string
}

export interface Task {
  id: number
  projectId: number
  title: string
  description: string | null
  assigneeId: number | null
  assigneeName: string | null
  reporterId: number
  reporterName: string
  priority: TaskPriority
  status: TaskStatus
  dueDate: string | null
  version: number
  createdAt: string
  updatedAt: string
}

export type TaskAction =
  | 'TASK_CREATED'
  | 'FIELD_CHANGED'
  | 'TASK_ASSIGNED'
  | 'STATUS_CHANGED'
  | 'COMMENT_ADDED'
  | 'FILE_ATTACHED'
  | 'FILE_DETACHED'

export interface TaskActivity {
  id: number
  taskId: number
  actorId: number
  actorName: string
  action: TaskAction
  fieldName: string | null
  oldValue: string | null
  newValue: string | null
  createdAt: string
}

export interface TaskComment {
  id: number
  taskId: number
  authorId: number
  authorName: string
  authorAvatarUrl: string | null
  content: string
  createdAt: string
}

export interface TaskCommentDraft {
  content: string
}

/** Somebody commented on a task. */
export interface TaskCommentedEvent {
  id: number
  type: 'task.commented'
  occurredAt: string
  actor: EventActor
  subject: { type: 'task'; id: number }
  data: { projectId: number; commentId: number }
}

/** A task was created. */
export interface TaskCreatedEvent {
  id: number
  type: 'task.created'
  occurredAt: string
  actor: EventActor
  subject: { type: 'task'; id: number }
  data: { projectId: number; title: string; assigneeId: number | null; priority: TaskPriority; status: TaskStatus; dueDate: string | null; version: number }
}

export interface TaskDraft {
  title: string
  description?: string | null
  assigneeId?: number | null
  priority?: TaskPriority
  dueDate?: string | null
}

export interface TaskPatch {
  /** The version that was read; may be omitted if If-Match is sent */
  version?: number
  title?: string
  description?: string | null
  assigneeId?: number | null
  priority?: TaskPriority
  status?: TaskStatus
  dueDate?: string | null
}

export type TaskPriority = 'LOW' | 'MEDIUM' | 'HIGH' | 'URGENT'

export type TaskStatus = 'TODO' | 'IN_PROGRESS' | 'BLOCKED' | 'DONE' | 'CANCELLED'

/** Fields of a task changed: its texts, its assignee or its status. */
export interface TaskUpdatedEvent {
  id: number
  type: 'task.updated'
  occurredAt: string
  actor: EventActor
  subject: { type: 'task'; id: number }
  data: { projectId: number; version: number; changes: ({ field: 'title' | 'description' | 'priority' | 'dueDate' | 'assigneeId' | 'status'; from: unknown; to: unknown })[] }
}

export interface Tenant {
  id: number
  name: string
  code: string
  status: TenantStatus
  plan: string
  expiredAt: string | null
  registration: TenantRegistration
  createdAt: string
  /** Only of a tenant that is closing */
  eraseAt?: string
}

/** The tenant was closed for good: its people are refused, and it will be erased unless it is reopened. */
export interface TenantClosedEvent {
  id: number
  type: 'tenant.closed'
  occurredAt: string
  actor: EventActor
  subject: { type: 'tenant'; id: number }
  data: { eraseAt: string }
}

/** The tenant was made, with its organization, its roles and its administrator. */
export interface TenantCreatedEvent {
  id: number
  type: 'tenant.created'
  occurredAt: string
  actor: EventActor
  subject: { type: 'tenant'; id: number }
  data: { name: string; code: string; plan: string }
}

/** The tenant was closed: its people are refused. */
export interface TenantDisabledEvent {
  id: number
  type: 'tenant.disabled'
  occurredAt: string
  actor: EventActor
  subject: { type: 'tenant'; id: number }
  data: {  }
}

export interface TenantDraft {
  name: string
  code: string
  plan: string
  expiredAt?: string | null
  registration?: TenantRegistration
  adminUsername: string
  adminPassword: string
  adminEmail: string
}

/** The tenant was opened again. */
export interface TenantEnabledEvent {
  id: number
  type: 'tenant.enabled'
  occurredAt: string
  actor: EventActor
  subject: { type: 'tenant'; id: number }
  data: {  }
}

export interface TenantPatch {
  name?: string
  status?: 'active' | 'disabled'
  plan?: string
  expiredAt?: string | null
  registration?: TenantRegistration
}

/** Whether strangers may register */
export type TenantRegistration = 'open' | 'closed'

/** The closing was taken back. */
export interface TenantReopenedEvent {
  id: number
  type: 'tenant.reopened'
  occurredAt: string
  actor: EventActor
  subject: { type: 'tenant'; id: number }
  data: {  }
}

export interface TenantSettings {
  registration: TenantRegistration
  /** The language of mail to people who have no account yet */
  locale: Locale
  /** Decides when a day begins: for reminders, substitutes and the daily mail */
  timeZone: string
  /** `required`: people without a second factor can only add one. Nobody can require it who has none */
  secondFactor: 'optional' | 'required'
  /** `change`: a password that an administrator has set must be changed at the first sign-in */
  firstPassword: 'keep' | 'change'
  /** For passwords that people choose themselves */
  passwordMinLength: number
  /** A session ends if it is not continued for so many days; a shorter time ends open ones too */
  sessionDays: number
  /** An invitation can be accepted for so many days */
  invitationDays: number
  /** Set by the operator */
  plan: string
  /** When the subscription ends; null if it does not */
  expiredAt: string | null
  /** The operator's price in CNY for another period of the plan; null if there is no offer */
  renewal: { amountCents: number; days: number } | null
  version: number
}

export interface TenantSettingsPatch {
  registration?: TenantRegistration
  /** The language of mail to people who have no account yet */
  locale?: Locale
  /** Decides when a day begins: for reminders, substitutes and the daily mail */
  timeZone?: string
  /** `required`: people without a second factor can only add one. Nobody can require it who has none */
  secondFactor?: 'optional' | 'required'
  /** `change`: a password that an administrator has set must be changed at the first sign-in */
  firstPassword?: 'keep' | 'change'
  /** For passwords that people choose themselves */
  passwordMinLength?: number
  /** A session ends if it is not continued for so many days; a shorter time ends open ones too */
  sessionDays?: number
  /** An invitation can be accepted for so many days */
  invitationDays?: number
  version?: number
}

/** What is `closing` is erased at `eraseAt` */
export type TenantStatus = 'active' | 'disabled' | 'closing'

/** Settings of the tenant changed, or its plan or expiry. */
export interface TenantUpdatedEvent {
  id: number
  type: 'tenant.updated'
  occurredAt: string
  actor: EventActor
  subject: { type: 'tenant'; id: number }
  data: { changes: ({ field: 'name' | 'plan' | 'expiredAt' | 'registration' | 'locale' | 'timeZone' | 'secondFactor' | 'firstPassword' | 'passwordMinLength' | 'sessionDays' | 'invitationDays'; from: unknown; to: unknown })[] }
}

export interface TenantUsage {
  /** Set by the operator */
  plan: string
  /** Who can sign in: neither service accounts nor people who are disabled */
  people: { used: number; limit: number | null }
  /** Those that are not archived */
  projects: { used: number; limit: number | null }
  fileBytes: { used: number; limit: number | null }
  webhooks: { used: number; limit: number | null }
  /** Requests with a token or key of the tenant in the last minute, counted only if the plan limits them */
  requestsPerMinute: { used: number; limit: number | null }
}

export interface TokenPair {
  accessToken: string
  refreshToken: string
  /** Seconds */
  expiresIn: number
  tokenType: 'Bearer'
}

export interface UnreadCount {
  count: number
}

export interface User {
  id: number
  username: string
  nickname: string | null
  email: string | null
  phone: string | null
  realName: string | null
  status: UserStatus
  roles: string[]
  /** Registered without being invited: of files, they see only their own until this is cleared */
  selfRegistered: boolean
  /** When they last proved who they are; null if they never did */
  lastSignInAt: string | null
  version: number
  createdAt: string
  updatedAt: string
}

/** A person or a service account was added, or a stranger registered. */
export interface UserCreatedEvent {
  id: number
  type: 'user.created'
  occurredAt: string
  actor: EventActor
  subject: { type: 'user'; id: number }
  data: { status: UserStatus; roles: string[]; selfRegistered: boolean; isService: boolean }
}

/** A person was deleted. Their name is gone from everything but the audit. */
export interface UserDeletedEvent {
  id: number
  type: 'user.deleted'
  occurredAt: string
  actor: EventActor
  subject: { type: 'user'; id: number }
  data: {  }
}

/** A person can no longer sign in. */
export interface UserDisabledEvent {
  id: number
  type: 'user.disabled'
  occurredAt: string
  actor: EventActor
  subject: { type: 'user'; id: number }
  data: {  }
}

export interface UserDraft {
  username: string
  /** At least six characters; the person can choose a better one */
  password: string
  nickname?: string | null
  email?: string | null
  phone?: string | null
  realName?: string | null
  roleIds?: number[] | null
  status?: UserStatus
  /** The user can do nothing else before; without it, the setting `firstPassword` of the tenant decides */
  mustChangePassword?: boolean
}

/** A person can sign in again. */
export interface UserEnabledEvent {
  id: number
  type: 'user.enabled'
  occurredAt: string
  actor: EventActor
  subject: { type: 'user'; id: number }
  data: {  }
}

/** Somebody was invited, or once more. */
export interface UserInvitedEvent {
  id: number
  type: 'user.invited'
  occurredAt: string
  actor: EventActor
  subject: { type: 'invitation'; id: number }
  data: { roles: string[]; departmentId: number | null }
}

export interface UserPage {
  items: User[]
  page: number
  pageSize: number
  total: number
}

export interface UserPatch {
  password?: string | null
  /** Needed to change your own password */
  currentPassword?: string | null
  nickname?: string | null
  email?: string | null
  phone?: string | null
  realName?: string | null
  roleIds?: number[] | null
  status?: UserStatus
  /** `false` clears the mark of a person who registered themselves; nobody can be given it */
  selfRegistered?: boolean
  /** The version that was read. With an older one nothing is changed */
  version?: number
}

/** A deleted person is back. */
export interface UserRestoredEvent {
  id: number
  type: 'user.restored'
  occurredAt: string
  actor: EventActor
  subject: { type: 'user'; id: number }
  data: { roles: string[] }
}

export type UserStatus = 'active' | 'disabled'

/** A person decides alone again. */
export interface UserSubstituteDismissedEvent {
  id: number
  type: 'user.substitute_dismissed'
  occurredAt: string
  actor: EventActor
  subject: { type: 'user'; id: number }
  data: { substituteId: number }
}

/** Somebody decides requests for a person in these days. */
export interface UserSubstituteNamedEvent {
  id: number
  type: 'user.substitute_named'
  occurredAt: string
  actor: EventActor
  subject: { type: 'user'; id: number }
  data: { substituteId: number; from: string; until: string }
}

/** Something about a person changed: their profile, their roles or their password; or somebody else ended their `sessions`. */
export interface UserUpdatedEvent {
  id: number
  type: 'user.updated'
  occurredAt: string
  actor: EventActor
  subject: { type: 'user'; id: number }
  data: { changes: ({ field: 'nickname' | 'email' | 'phone' | 'realName' | 'roles' | 'selfRegistered' | 'password' | 'avatar' | 'locale' | 'timeZone' | 'mail' | 'secondFactor' | 'sessions'; from: unknown; to: unknown })[] }
}

export interface Webhook {
  id: number
  url: string
  types: string[]
  description: string | null
  /** `failing` from the third failed attempt in a row until one is delivered */
  status: WebhookStatus
  createdAt: string
  version: number
}

/** A webhook was created. */
export interface WebhookCreatedEvent {
  id: number
  type: 'webhook.created'
  occurredAt: string
  actor: EventActor
  subject: { type: 'webhook'; id: number }
  data: { host: string; types: string[] }
}

/** A webhook was deleted. */
export interface WebhookDeletedEvent {
  id: number
  type: 'webhook.deleted'
  occurredAt: string
  actor: EventActor
  subject: { type: 'webhook'; id: number }
  data: { host: string }
}

export interface WebhookDelivery {
  id: number
  eventId: number
  type: string
  /** `failed`: it is tried again; `dead`: it was given up */
  status: WebhookDeliveryStatus
  attempts: number
  /** Of the last attempt; null if there was no response */
  responseStatus: number | null
  durationMs: number | null
  nextAttemptAt: string | null
  createdAt: string
}

export interface WebhookDeliveryDetail {
  id: number
  eventId: number
  type: string
  /** `failed`: it is tried again; `dead`: it was given up */
  status: WebhookDeliveryStatus
  attempts: number
  /** Of the last attempt; null if there was no response */
  responseStatus: number | null
  durationMs: number | null
  nextAttemptAt: string | null
  createdAt: string
  /** Why the last attempt failed */
  lastError: string | null
  /** The body that is sent, with the actor as they are called now; null if the event is no longer kept */
  body: string | null
  /** The first 8192 characters of what was answered last */
  responseBody: string | null
}

export type WebhookDeliveryStatus = 'waiting' | 'delivered' | 'failed' | 'dead'

export interface WebhookDraft {
  /** HTTPS or HTTP, with a host of the public internet */
  url: string
  /** The types of events that it is sent; `*` means all, also those of later releases */
  types: string[]
  description?: string | null
  status?: 'active' | 'paused'
}

export interface WebhookPatch {
  /** HTTPS or HTTP, with a host of the public internet */
  url?: string
  /** The types of events that it is sent; `*` means all, also those of later releases */
  types?: string[]
  description?: string | null
  status?: 'active' | 'paused'
  /** The version that was read; may be omitted if If-Match is sent */
  version?: number
}

/** A webhook is sent an event again. */
export interface WebhookRedeliveredEvent {
  id: number
  type: 'webhook.redelivered'
  occurredAt: string
  actor: EventActor
  subject: { type: 'webhook'; id: number }
  data: { host: string; eventId: number }
}

export interface WebhookReplay {
  afterEventId: number
}

/** A webhook is sent all events after an id again. */
export interface WebhookReplayedEvent {
  id: number
  type: 'webhook.replayed'
  occurredAt: string
  actor: EventActor
  subject: { type: 'webhook'; id: number }
  data: { host: string; afterEventId: number }
}

export interface WebhookSecret {
  /** The secret that signs its deliveries, shown only in this answer */
  secret: string
}

/** A webhook got a new secret; the one before works for another day. */
export interface WebhookSecretRotatedEvent {
  id: number
  type: 'webhook.secret_rotated'
  occurredAt: string
  actor: EventActor
  subject: { type: 'webhook'; id: number }
  data: { host: string }
}

export type WebhookStatus = 'active' | 'paused' | 'failing'

/** A webhook is tried out: only itself is sent this event. */
export interface WebhookTestedEvent {
  id: number
  type: 'webhook.tested'
  occurredAt: string
  actor: EventActor
  subject: { type: 'webhook'; id: number }
  data: { host: string }
}

/** Fields of a webhook changed, or it was paused or continued. */
export interface WebhookUpdatedEvent {
  id: number
  type: 'webhook.updated'
  occurredAt: string
  actor: EventActor
  subject: { type: 'webhook'; id: number }
  data: { version: number; changes: ({ field: 'url' | 'types' | 'description' | 'status'; from: unknown; to: unknown })[] }
}

/** What each operation takes (parameters by name, and the body) and what it yields. */
export interface Operations {
  /** Accept an invitation */
  acceptInvitation: { takes: { body: InvitationAcceptRequest }; yields: TokenPair }
  /** Comment on a post */
  addBlogComment: { takes: { id: number; body: BlogCommentDraft }; yields: BlogComment }
  /** Add a member */
  addProjectMember: { takes: { id: number; userId: number }; yields: null }
  /** Comment on a task */
  addTaskComment: { takes: { id: number; body: TaskCommentDraft }; yields: TaskComment }
  /** Approve the open step */
  approveApproval: { takes: { id: number; body?: ApprovalDecision }; yields: Approval }
  /** Archive a project */
  archiveProject: { takes: { id: number; version?: number }; yields: Project }
  /** Assign a person to a department */
  assignDepartmentMember: { takes: { id: number; userId: number }; yields: null }
  /** Attach a file to a task, a request or an article */
  attachFile: { takes: { tenantId: number; filename: string; body: ResourceOfFile }; yields: AttachedFile }
  /** Begin a second factor */
  beginSecondFactor: { takes: { body?: SecondFactorRequest }; yields: NewSecondFactor }
  /** Take an approval back */
  cancelApproval: { takes: { id: number }; yields: Approval }
  /** Change my password */
  changePassword: { takes: { body: PasswordChange }; yields: null }
  /** Order a plan */
  checkout: { takes: { body: CheckoutRequest }; yields: PaymentOrder }
  /** Close a tenant */
  closeTenant: { takes: { id: number }; yields: Tenant }
  /** Confirm an e-mail address with a link */
  confirmEmail: { takes: { body: EmailConfirmRequest }; yields: null }
  /** Set a new password with a link */
  confirmPasswordReset: { takes: { body: PasswordResetConfirmRequest }; yields: null }
  /** Turn my second factor on */
  confirmSecondFactor: { takes: { body: SecondFactorConfirmation }; yields: RecoveryCodes }
  /** Count my unread notifications */
  countUnreadNotifications: { takes: object; yields: UnreadCount }
  /** Draft an approval */
  createApproval: { takes: { body: ApprovalDraft }; yields: Approval }
  /** Write an article */
  createArticle: { takes: { body: ArticleDraft }; yields: Article }
  /** Get an address for my calendar */
  createCalendarKey: { takes: object; yields: CalendarAddress }
  /** Create a category */
  createCategory: { takes: { body: CategoryDraft }; yields: Category }
  /** Create a department */
  createDepartment: { takes: { body: DepartmentDraft }; yields: Department }
  /** Invite a person */
  createInvitation: { takes: { body: InvitationDraft }; yields: SentInvitation }
  /** Make a key of a service account */
  createKey: { takes: { id: number; body: KeyDraft }; yields: CreatedKey }
  /** Create a menu */
  createMenu: { takes: { body: MenuDraft }; yields: Menu }
  /** Add a permission */
  createPermission: { takes: { body: PermissionDraft }; yields: Permission }
  /** Create a project */
  createProject: { takes: { body: ProjectDraft }; yields: Project }
  /** Create a role */
  createRole: { takes: { body: RoleDraft }; yields: Role }
  /** Create a service account */
  createServiceAccount: { takes: { body: ServiceAccountDraft }; yields: ServiceAccount }
  /** Create a task */
  createTask: { takes: { id: number; body: TaskDraft }; yields: Task }
  /** Create a tenant */
  createTenant: { takes: { body: TenantDraft }; yields: Tenant }
  /** Create a user */
  createUser: { takes: { body: UserDraft }; yields: User }
  /** Create a webhook */
  createWebhook: { takes: { body: WebhookDraft }; yields: CreatedWebhook }
  /** Delete an article with its comments */
  deleteArticle: { takes: { id: number }; yields: null }
  /** Delete a category */
  deleteCategory: { takes: { id: number }; yields: null }
  /** Delete a message */
  deleteContactMessage: { takes: { id: number }; yields: null }
  /** Delete a department */
  deleteDepartment: { takes: { id: number }; yields: null }
  /** Delete a file */
  deleteFile: { takes: { tenantId: number; filename: string }; yields: null }
  /** Take the identity provider from the tenant */
  deleteIdentityProvider: { takes: object; yields: null }
  /** Delete a menu */
  deleteMenu: { takes: { id: number }; yields: null }
  /** Delete a permission */
  deletePermission: { takes: { id: number }; yields: null }
  /** Delete a role */
  deleteRole: { takes: { id: number }; yields: null }
  /** Delete a service account */
  deleteServiceAccount: { takes: { id: number }; yields: null }
  /** Delete a user */
  deleteUser: { takes: { id: number }; yields: null }
  /** Delete a webhook */
  deleteWebhook: { takes: { id: number }; yields: null }
  /** Download a file */
  downloadFile: { takes: { tenantId: number; filename: string }; yields: Response }
  /** Download a public file */
  downloadPublicFile: { takes: { tenantId: number; filename: string }; yields: Response }
  /** End all my other sessions */
  endOtherSessions: { takes: object; yields: null }
  /** End one of my sessions */
  endSession: { takes: { id: number }; yields: null }
  /** End a user's sessions */
  endSessionsOfUser: { takes: { id: number }; yields: null }
  /** Open the session of a sign-in at the identity provider */
  exchangeSignInCode: { takes: { body: SignInExchange }; yields: TokenPair }
  /** Export the tenant */
  exportTenant: { takes: object; yields: Response }
  /** Come back from the identity provider */
  finishProviderSignIn: { takes: { state: string; code?: string; error?: string; iss?: string }; yields: Response }
  /** Come back from the identity provider of one tenant */
  finishProviderSignInOfTenant: {
    takes: {
      tenantCode: string
      state: string
      code?: string
      error?: string
      iss?: string
    }
    yields: Response
  }
  /** Analytics */
  getAnalyticsOverview: { takes: { days?: number }; yields: AnalyticsOverview }
  /** Read an approval */
  getApproval: { takes: { id: number }; yields: Approval }
  /** Read an article */
  getArticle: { takes: { id: number }; yields: Article }
  /** Read a post */
  getBlogPost: { takes: { id: number }; yields: BlogPost }
  /** Read a category */
  getCategory: { takes: { id: number }; yields: Category }
  /** Dashboard figures */
  getDashboardStats: { takes: object; yields: DashboardStats }
  /** Data overview */
  getDataOverview: { takes: object; yields: DataOverview }
  /** Read a department */
  getDepartment: { takes: { id: number }; yields: Department }
  /** Read the health of the service */
  getHealth: { takes: object; yields: Health }
  /** Read the identity provider of the tenant */
  getIdentityProvider: { takes: object; yields: IdentityProvider }
  /** Read an invitation */
  getInvitation: { takes: { id: number }; yields: Invitation }
  /** Who am I */
  getMe: { takes: object; yields: Me }
  /** Read a menu */
  getMenu: { takes: { id: number }; yields: Menu }
  /** Who is online */
  getOnlineUsers: { takes: object; yields: OnlineUsers }
  /** Read an order */
  getOrder: { takes: { orderNo: string }; yields: PaymentOrder }
  /** Read the organization */
  getOrganization: { takes: object; yields: Organization }
  /** Read my profile */
  getProfile: { takes: object; yields: Profile }
  /** Read a project */
  getProject: { takes: { id: number }; yields: Project }
  /** Read the portal: about */
  getPublicAbout: { takes: object; yields: PortalAbout }
  /** Read the portal: home */
  getPublicHome: { takes: object; yields: PortalHome }
  /** Read the portal: product */
  getPublicProduct: { takes: object; yields: PortalProduct }
  /** Read a role */
  getRole: { takes: { id: number }; yields: Role }
  /** State of the server */
  getServerState: { takes: object; yields: ServerState }
  /** Read a service account */
  getServiceAccount: { takes: { id: number }; yields: ServiceAccount }
  /** How people of a tenant sign in */
  getSignInMethods: { takes: { tenantCode?: string }; yields: SignInMethods }
  /** Read a task */
  getTask: { takes: { id: number }; yields: Task }
  /** Read a tenant */
  getTenant: { takes: { id: number }; yields: Tenant }
  /** Read the settings of the tenant */
  getTenantSettings: { takes: object; yields: TenantSettings }
  /** Read how much the tenant uses */
  getTenantUsage: { takes: object; yields: TenantUsage }
  /** Read a user */
  getUser: { takes: { id: number }; yields: User }
  /** Read a webhook */
  getWebhook: { takes: { id: number }; yields: Webhook }
  /** Read a delivery of a webhook */
  getWebhookDelivery: { takes: { id: number; deliveryId: number }; yields: WebhookDeliveryDetail }
  /** Hand over what a user is responsible for */
  handOver: { takes: { id: number; body: HandOver }; yields: HandedOver }
  /** Mark a message as handled */
  handleContactMessage: { takes: { id: number; body: ContactMessagePatch }; yields: ContactMessage }
  /** List the tasks of all my projects */
  listAllTasks: {
    takes: {
      page?: number
      pageSize?: number
      before?: number
      after?: number
      assigneeId?: 'me' | number
      status?: string
      priority?: string
      dueFrom?: string
      dueTo?: string
      projectId?: number
      keyword?: string
      limit?: number
      sort?: 'id' | '-id' | 'dueDate' | '-dueDate' | 'updatedAt' | '-updatedAt'
      behind?: string
    }
    yields: Task[]
  }
  /** List the approvals I may see */
  listApprovals: {
    takes: {
      page?: number
      pageSize?: number
      before?: number
      after?: number
      scope?: 'mine' | 'todo' | 'all'
      status?: ApprovalStatus
      keyword?: string
      departmentId?: number
      applicantId?: number
      from?: string
      to?: string
      sort?: 'id' | '-id'
    }
    yields: Approval[]
  }
  /** List articles */
  listArticles: {
    takes: {
      page?: number
      pageSize?: number
      keyword?: string
      categoryId?: number
      status?: ArticleStatus
      sort?: 'id' | '-id'
    }
    yields: ArticlePage
  }
  /** List operations */
  listAuditOperations: {
    takes: {
      page?: number
      pageSize?: number
      before?: number
      after?: number
      userId?: number
      method?: string
      path?: string
      requestId?: string
      status?: number
      from?: string
      to?: string
    }
    yields: AuditOperation[]
  }
  /** Read the comments on a post */
  listBlogComments: {
    takes: {
      id: number
      page?: number
      pageSize?: number
      before?: number
      after?: number
    }
    yields: BlogComment[]
  }
  /** Read the blog */
  listBlogPosts: { takes: { page?: number; pageSize?: number; category?: string; keyword?: string }; yields: BlogPage }
  /** List categories */
  listCategories: {
    takes: {
      page?: number
      pageSize?: number
      before?: number
      after?: number
      sort?: 'id' | '-id' | 'name' | '-name' | 'slug' | '-slug'
      behind?: string
    }
    yields: Category[]
  }
  /** List comments for moderation */
  listComments: {
    takes: {
      page?: number
      pageSize?: number
      before?: number
      after?: number
      articleId?: number
      status?: BlogCommentStatus
    }
    yields: ModeratedComment[]
  }
  /** Settings */
  listConfigEntries: { takes: { page?: number; pageSize?: number; keyword?: string }; yields: ConfigEntryPage }
  /** List messages of visitors */
  listContactMessages: {
    takes: {
      page?: number
      pageSize?: number
      before?: number
      after?: number
    }
    yields: ContactMessage[]
  }
  /** Demo departments */
  listDemoDepartments: { takes: object; yields: DemoDepartment[] }
  /** List the members of a department */
  listDepartmentMembers: {
    takes: {
      id: number
      page?: number
      pageSize?: number
      before?: number
      after?: number
    }
    yields: DepartmentMember[]
  }
  /** Read the tree of departments */
  listDepartments: { takes: object; yields: Department[] }
  /** Dictionaries */
  listDictionaries: { takes: { page?: number; pageSize?: number; keyword?: string }; yields: DictionaryPage }
  /** Error log */
  listErrorLogs: {
    takes: {
      page?: number
      pageSize?: number
      keyword?: string
      status?: 'pending' | 'resolved'
    }
    yields: ErrorLogPage
  }
  /** Read the event log */
  listEvents: { takes: { after?: number; types?: string; limit?: number; wait?: number }; yields: Event[] }
  /** List files */
  listFiles: {
    takes: {
      page?: number
      pageSize?: number
      before?: number
      after?: number
      resourceType?: FileResourceType
      resourceId?: number
    }
    yields: AttachedFile[]
  }
  /** Examine the installation */
  listFindings: { takes: object; yields: Finding[] }
  /** List invitations */
  listInvitations: {
    takes: {
      page?: number
      pageSize?: number
      before?: number
      after?: number
      status?: InvitationStatus
    }
    yields: Invitation[]
  }
  /** List the background jobs */
  listJobs: { takes: object; yields: Job[] }
  /** List the keys of a service account */
  listKeys: { takes: { id: number; page?: number; pageSize?: number; before?: number; after?: number }; yields: Key[] }
  /** Sign-in log */
  listLoginLogs: { takes: { page?: number; pageSize?: number; keyword?: string }; yields: LoginLogPage }
  /** List the mails of the tenant */
  listMails: {
    takes: {
      page?: number
      pageSize?: number
      before?: number
      after?: number
      status?: MailStatus
    }
    yields: Mail[]
  }
  /** Read the tree of all menus */
  listMenuTree: { takes: object; yields: Menu[] }
  /** Read my menus */
  listMyMenus: { takes: object; yields: Menu[] }
  /** Notices */
  listNotices: { takes: { page?: number; pageSize?: number; keyword?: string; type?: string }; yields: NoticePage }
  /** List my notifications */
  listNotifications: {
    takes: {
      page?: number
      pageSize?: number
      before?: number
      after?: number
      read?: boolean
    }
    yields: Notification[]
  }
  /** Operation log */
  listOperationLogs: {
    takes: {
      page?: number
      pageSize?: number
      keyword?: string
      module?: string
    }
    yields: OperationLogPage
  }
  /** List orders */
  listOrders: { takes: { page?: number; pageSize?: number; before?: number; after?: number }; yields: PaymentOrder[] }
  /** List the permissions there are */
  listPermissions: { takes: object; yields: Permission[] }
  /** Read the history of a project */
  listProjectActivities: {
    takes: {
      id: number
      page?: number
      pageSize?: number
      before?: number
      after?: number
    }
    yields: ProjectActivity[]
  }
  /** List the members of a project */
  listProjectMembers: {
    takes: {
      id: number
      page?: number
      pageSize?: number
      before?: number
      after?: number
    }
    yields: ProjectMember[]
  }
  /** List my projects */
  listProjects: {
    takes: {
      page?: number
      pageSize?: number
      before?: number
      after?: number
      status?: ProjectStatus
      keyword?: string
      sort?: 'id' | '-id' | 'code' | '-code'
      behind?: string
    }
    yields: Project[]
  }
  /** Read the portal: features */
  listPublicFeatures: { takes: object; yields: PortalFeature[] }
  /** Read the portal: docs */
  listPublicGuides: { takes: object; yields: PortalGuide[] }
  /** Read the portal: pricing */
  listPublicPlans: { takes: object; yields: PortalPlan[] }
  /** Read the portal: faq */
  listPublicQuestions: { takes: object; yields: PortalQuestion[] }
  /** List what a user is responsible for */
  listResponsibilities: { takes: { id: number }; yields: Responsibilities }
  /** List roles */
  listRoles: {
    takes: {
      page?: number
      pageSize?: number
      before?: number
      after?: number
      keyword?: string
      sort?: 'id' | '-id' | 'code' | '-code'
      behind?: string
    }
    yields: RolePage
  }
  /** List service accounts */
  listServiceAccounts: {
    takes: {
      page?: number
      pageSize?: number
      before?: number
      after?: number
    }
    yields: ServiceAccount[]
  }
  /** List my sessions */
  listSessions: { takes: { page?: number; pageSize?: number; before?: number; after?: number }; yields: Session[] }
  /** Read the history of a task */
  listTaskActivities: {
    takes: {
      id: number
      page?: number
      pageSize?: number
      before?: number
      after?: number
    }
    yields: TaskActivity[]
  }
  /** Read the comments of a task */
  listTaskComments: {
    takes: {
      id: number
      page?: number
      pageSize?: number
      before?: number
      after?: number
    }
    yields: TaskComment[]
  }
  /** List the tasks of a project */
  listTasks: {
    takes: {
      id: number
      page?: number
      pageSize?: number
      before?: number
      after?: number
      status?: TaskStatus
      priority?: TaskPriority
      assigneeId?: number
      keyword?: string
      sort?: 'id' | '-id' | 'dueDate' | '-dueDate' | 'priority' | '-priority' | 'updatedAt' | '-updatedAt' | 'title' | '-title'
      behind?: string
    }
    yields: Task[]
  }
  /** List tenants */
  listTenants: { takes: { page?: number; pageSize?: number; before?: number; after?: number }; yields: Tenant[] }
  /** Find people of the tenant */
  listUserDirectory: {
    takes: {
      page?: number
      pageSize?: number
      before?: number
      after?: number
      keyword?: string
      ids?: string
    }
    yields: DirectoryEntry[]
  }
  /** List users */
  listUsers: {
    takes: {
      page?: number
      pageSize?: number
      before?: number
      after?: number
      keyword?: string
      status?: UserStatus
      roleId?: number
      sort?: 'id' | '-id' | 'username' | '-username'
      behind?: string
    }
    yields: UserPage
  }
  /** List the deliveries of a webhook */
  listWebhookDeliveries: {
    takes: {
      id: number
      page?: number
      pageSize?: number
      before?: number
      after?: number
      status?: WebhookDeliveryStatus
    }
    yields: WebhookDelivery[]
  }
  /** List webhooks */
  listWebhooks: { takes: { page?: number; pageSize?: number; before?: number; after?: number }; yields: Webhook[] }
  /** Sign in */
  login: { takes: { body: Credentials }; yields: TokenPair }
  /** Sign out */
  logout: { takes: { body?: LogoutRequest }; yields: null }
  /** Mark all my notifications as read */
  markAllNotificationsRead: { takes: object; yields: null }
  /** Mark a notification as read */
  markNotificationRead: { takes: { id: number }; yields: Notification }
  /** Hide a comment or show it again */
  moderateBlogComment: { takes: { id: number; body: BlogCommentPatch }; yields: ModeratedComment }
  /** Order the renewal of the tenant */
  orderRenewal: { takes: { body: RenewalRequest }; yields: PaymentOrder }
  /** Read the invitation of a link */
  previewInvitation: { takes: { body: InvitationPreviewRequest }; yields: InvitationPreview }
  /** Read a calendar of tasks */
  readCalendar: { takes: { key: string }; yields: Response }
  /** Pass the open first step to somebody else */
  reassignApproval: { takes: { id: number; body: ApprovalReassignment }; yields: Approval }
  /** Send a delivery again */
  redeliverWebhook: { takes: { id: number; deliveryId: number }; yields: WebhookDelivery }
  /** Continue a session */
  refreshSession: { takes: { body: RefreshRequest }; yields: TokenPair }
  /** Register */
  register: { takes: { body: Registration }; yields: User }
  /** Reject at the open step */
  rejectApproval: { takes: { id: number; body?: ApprovalDecision }; yields: Approval }
  /** Revoke the address of my calendar */
  removeCalendarKey: { takes: object; yields: null }
  /** Remove a person from a department */
  removeDepartmentMember: { takes: { id: number; userId: number }; yields: null }
  /** Dismiss my substitute */
  removeMySubstitute: { takes: object; yields: null }
  /** Remove a member */
  removeProjectMember: { takes: { id: number; userId: number }; yields: null }
  /** Remove my second factor */
  removeSecondFactor: { takes: { body: SecondFactorRemoval }; yields: null }
  /** Reopen a tenant that is closing */
  reopenTenant: { takes: { id: number }; yields: Tenant }
  /** Replace a department */
  replaceDepartment: { takes: { id: number; body: DepartmentPatch }; yields: Department }
  /** Replace a section of the portal */
  replacePortalSection: {
    takes: {
      section: 'home' | 'features' | 'product' | 'pricing' | 'faq' | 'docs' | 'about'
      body: PortalSection
    }
    yields: PortalSection
  }
  /** Send all events after an id again */
  replayWebhook: { takes: { id: number; body: WebhookReplay }; yields: null }
  /** Report a payment */
  reportPayment: { takes: { provider: string; body: PaymentCallback }; yields: null }
  /** Ask for a new password */
  requestPasswordReset: { takes: { body: PasswordResetRequest }; yields: null }
  /** Send an invitation again */
  resendInvitation: { takes: { id: number }; yields: SentInvitation }
  /** Bring a deleted user back */
  restoreUser: { takes: { id: number; body: RestorationDraft }; yields: User }
  /** Send a mail again */
  retryMail: { takes: { id: number }; yields: Mail }
  /** Revoke a key */
  revokeKey: { takes: { id: number; keyId: number }; yields: null }
  /** Give a webhook a new secret */
  rotateWebhookSecret: { takes: { id: number }; yields: WebhookSecret }
  /** Name the identity provider of the tenant */
  saveIdentityProvider: { takes: { body: IdentityProviderDraft }; yields: IdentityProvider }
  /** Send a message */
  sendContactMessage: { takes: { body: ContactDraft }; yields: ContactReceipt }
  /** Name my substitute */
  setMySubstitute: { takes: { body: SubstituteDraft }; yields: Substitute }
  /** Name the substitute of a user */
  setSubstitute: { takes: { id: number; body: SubstituteDraft }; yields: Substitute }
  /** Sign in at the identity provider */
  startProviderSignIn: { takes: { tenantCode?: string; returnTo: string; codeChallenge?: string }; yields: Response }
  /** Listen to my notifications */
  streamNotifications: { takes: { lastEventId?: number }; yields: Response }
  /** Submit an approval */
  submitApproval: { takes: { id: number }; yields: Approval }
  /** Take the second factor off a user who has lost it */
  takeOffSecondFactor: { takes: { id: number }; yields: null }
  /** Try a webhook out */
  testWebhook: { takes: { id: number }; yields: null }
  /** Open an archived project again */
  unarchiveProject: { takes: { id: number; version?: number }; yields: Project }
  /** Change a draft */
  updateApproval: { takes: { id: number; body: ApprovalPatch }; yields: Approval }
  /** Update an article */
  updateArticle: { takes: { id: number; body: ArticlePatch }; yields: Article }
  /** Update a category */
  updateCategory: { takes: { id: number; body: CategoryPatch }; yields: Category }
  /** Update a menu */
  updateMenu: { takes: { id: number; body: MenuPatch }; yields: Menu }
  /** Update the organization */
  updateOrganization: { takes: { id: number; body: OrganizationPatch }; yields: Organization }
  /** Update a permission */
  updatePermission: { takes: { id: number; body: PermissionPatch }; yields: Permission }
  /** Update my profile */
  updateProfile: { takes: { body: ProfilePatch }; yields: Profile }
  /** Update a project */
  updateProject: { takes: { id: number; body: ProjectPatch }; yields: Project }
  /** Update a role */
  updateRole: { takes: { id: number; body: RolePatch }; yields: Role }
  /** Update a service account */
  updateServiceAccount: { takes: { id: number; body: ServiceAccountPatch }; yields: ServiceAccount }
  /** Update a task */
  updateTask: { takes: { id: number; body: TaskPatch }; yields: Task }
  /** Update a tenant */
  updateTenant: { takes: { id: number; body: TenantPatch }; yields: Tenant }
  /** Update the settings of the tenant */
  updateTenantSettings: { takes: { body: TenantSettingsPatch }; yields: TenantSettings }
  /** Update a user */
  updateUser: { takes: { id: number; body: UserPatch }; yields: User }
  /** Update a webhook */
  updateWebhook: { takes: { id: number; body: WebhookPatch }; yields: Webhook }
  /** Upload a file */
  uploadFile: { takes: { body: { file: File } }; yields: StoredFile }
  /** Withdraw an invitation */
  withdrawInvitation: { takes: { id: number }; yields: null }
}

/** The events of the log and of webhooks, by their types. */
export interface Events {
  /** The tenant was made, with its organization, its roles and its administrator */
  'tenant.created': TenantCreatedEvent
  /** Settings of the tenant changed, or its plan or expiry */
  'tenant.updated': TenantUpdatedEvent
  /** The tenant was closed: its people are refused */
  'tenant.disabled': TenantDisabledEvent
  /** The tenant was closed for good: its people are refused, and it will be erased unless it is reopened */
  'tenant.closed': TenantClosedEvent
  /** The closing was taken back */
  'tenant.reopened': TenantReopenedEvent
  /** The tenant was opened again */
  'tenant.enabled': TenantEnabledEvent
  /** The organization was renamed, disabled or enabled */
  'organization.updated': OrganizationUpdatedEvent
  /** A department was created */
  'department.created': DepartmentCreatedEvent
  /** Fields of a department changed, such as its leader */
  'department.updated': DepartmentUpdatedEvent
  /** A department was deleted */
  'department.deleted': DepartmentDeletedEvent
  /** A person joined a department, and left the one before */
  'department.member_added': DepartmentMemberAddedEvent
  /** A person left a department */
  'department.member_removed': DepartmentMemberRemovedEvent
  /** A person or a service account was added, or a stranger registered */
  'user.created': UserCreatedEvent
  /** Something about a person changed: their profile, their roles or their password; or somebody else ended their `sessions` */
  'user.updated': UserUpdatedEvent
  /** A person can no longer sign in */
  'user.disabled': UserDisabledEvent
  /** A person can sign in again */
  'user.enabled': UserEnabledEvent
  /** A person was deleted. Their name is gone from everything but the audit */
  'user.deleted': UserDeletedEvent
  /** A deleted person is back */
  'user.restored': UserRestoredEvent
  /** Somebody decides requests for a person in these days */
  'user.substitute_named': UserSubstituteNamedEvent
  /** A person decides alone again */
  'user.substitute_dismissed': UserSubstituteDismissedEvent
  /** A role was created */
  'role.created': RoleCreatedEvent
  /** A role was renamed, or gives other rights or menus */
  'role.updated': RoleUpdatedEvent
  /** A role was deleted; nobody held it */
  'role.deleted': RoleDeletedEvent
  /** A project was created; its creator is its owner and first member */
  'project.created': ProjectCreatedEvent
  /** Fields of a project changed */
  'project.updated': ProjectUpdatedEvent
  /** A project got another owner */
  'project.owner_changed': ProjectOwnerChangedEvent
  /** A project was archived */
  'project.archived': ProjectArchivedEvent
  /** An archived project was opened again */
  'project.unarchived': ProjectUnarchivedEvent
  /** A person became a member of a project */
  'project.member_added': ProjectMemberAddedEvent
  /** A person is no longer a member of a project */
  'project.member_removed': ProjectMemberRemovedEvent
  /** A task was created */
  'task.created': TaskCreatedEvent
  /** Fields of a task changed: its texts, its assignee or its status */
  'task.updated': TaskUpdatedEvent
  /** Somebody commented on a task */
  'task.commented': TaskCommentedEvent
  /** A request was drafted */
  'approval.created': ApprovalCreatedEvent
  /** A draft was changed */
  'approval.updated': ApprovalUpdatedEvent
  /** A request was submitted */
  'approval.submitted': ApprovalSubmittedEvent
  /** The first step of a request was approved; administrators decide next */
  'approval.step_approved': ApprovalStepApprovedEvent
  /** A request was approved at its last step */
  'approval.approved': ApprovalApprovedEvent
  /** A request was rejected */
  'approval.rejected': ApprovalRejectedEvent
  /** A request was cancelled by its applicant */
  'approval.cancelled': ApprovalCancelledEvent
  /** An administrator passed the first step of a request to somebody else */
  'approval.reassigned': ApprovalReassignedEvent
  /** A request that waits went from one person to another, who decides it or is its applicant now */
  'approval.handed_over': ApprovalHandedOverEvent
  /** A file was uploaded */
  'file.uploaded': FileUploadedEvent
  /** A file was attached to a task, a request or an article */
  'file.attached': FileAttachedEvent
  /** A file no longer belongs to the thing that it was attached to */
  'file.detached': FileDetachedEvent
  /** A file was deleted */
  'file.deleted': FileDeletedEvent
  /** An article was created */
  'article.created': ArticleCreatedEvent
  /** Fields of an article changed */
  'article.updated': ArticleUpdatedEvent
  /** An article became public */
  'article.published': ArticlePublishedEvent
  /** An article is no longer public */
  'article.withdrawn': ArticleWithdrawnEvent
  /** An article was deleted, with its comments */
  'article.deleted': ArticleDeletedEvent
  /** A category was created */
  'category.created': CategoryCreatedEvent
  /** Fields of a category changed */
  'category.updated': CategoryUpdatedEvent
  /** A category without articles was deleted */
  'category.deleted': CategoryDeletedEvent
  /** A section of the public pages was written */
  'portal.updated': PortalUpdatedEvent
  /** A visitor wrote to the tenant */
  'contact_message.received': ContactMessageReceivedEvent
  /** A message was marked as handled, or as open again */
  'contact_message.handled': ContactMessageHandledEvent
  /** A message of a visitor was deleted */
  'contact_message.deleted': ContactMessageDeletedEvent
  /** Somebody commented on an article */
  'comment.created': CommentCreatedEvent
  /** A comment was hidden from the public, or shown again */
  'comment.moderated': CommentModeratedEvent
  /** Somebody ordered a plan, or a renewal of the tenant */
  'order.created': OrderCreatedEvent
  /** An order was paid */
  'order.paid': OrderPaidEvent
  /** The payment provider has closed an order that was not paid */
  'order.expired': OrderExpiredEvent
  /** The payment provider has refunded an order */
  'order.refunded': OrderRefundedEvent
  /** Somebody was invited, or once more */
  'user.invited': UserInvitedEvent
  /** An invited person has an account */
  'invitation.accepted': InvitationAcceptedEvent
  /** Somebody else answers for an invitation */
  'invitation.handed_over': InvitationHandedOverEvent
  /** An invitation was withdrawn */
  'invitation.withdrawn': InvitationWithdrawnEvent
  /** People sign in at another identity provider from now on, or under other conditions */
  'identity_provider.updated': IdentityProviderUpdatedEvent
  /** The tenant has no identity provider any more */
  'identity_provider.removed': IdentityProviderRemovedEvent
  /** A service account got a key */
  'key.created': KeyCreatedEvent
  /** A key of a service account was revoked */
  'key.revoked': KeyRevokedEvent
  /** A webhook was created */
  'webhook.created': WebhookCreatedEvent
  /** Fields of a webhook changed, or it was paused or continued */
  'webhook.updated': WebhookUpdatedEvent
  /** A webhook was deleted */
  'webhook.deleted': WebhookDeletedEvent
  /** A webhook got a new secret; the one before works for another day */
  'webhook.secret_rotated': WebhookSecretRotatedEvent
  /** A webhook is sent all events after an id again */
  'webhook.replayed': WebhookReplayedEvent
  /** A webhook is sent an event again */
  'webhook.redelivered': WebhookRedeliveredEvent
  /** A webhook is tried out: only itself is sent this event */
  'webhook.tested': WebhookTestedEvent
}

/** Where each operation is found, and what is special about it. */
export const operations = {
  acceptInvitation: { method: 'POST', path: '/api/v1/auth/invitations/accept', keyed: true },
  addBlogComment: { method: 'POST', path: '/api/v1/blog/{id}/comments', keyed: true },
  addProjectMember: { method: 'PUT', path: '/api/v1/projects/{id}/members/{userId}' },
  addTaskComment: { method: 'POST', path: '/api/v1/tasks/{id}/comments', keyed: true },
  approveApproval: { method: 'POST', path: '/api/v1/approvals/{id}/approve', keyed: true },
  archiveProject: { method: 'PUT', path: '/api/v1/projects/{id}/archive' },
  assignDepartmentMember: { method: 'PUT', path: '/api/v1/departments/{id}/members/{userId}' },
  attachFile: { method: 'PUT', path: '/api/v1/files/{tenantId}/{filename}/resource' },
  beginSecondFactor: { method: 'POST', path: '/api/v1/auth/second-factor', keyed: true },
  cancelApproval: { method: 'POST', path: '/api/v1/approvals/{id}/cancel', keyed: true },
  changePassword: { method: 'PUT', path: '/api/v1/auth/password' },
  checkout: { method: 'POST', path: '/api/v1/payments/checkout', keyed: true },
  closeTenant: { method: 'POST', path: '/api/v1/tenants/{id}/close', keyed: true },
  confirmEmail: { method: 'POST', path: '/api/v1/auth/email/confirm', keyed: true },
  confirmPasswordReset: { method: 'POST', path: '/api/v1/auth/password-resets/confirm', keyed: true },
  confirmSecondFactor: { method: 'POST', path: '/api/v1/auth/second-factor/confirm', keyed: true },
  countUnreadNotifications: { method: 'GET', path: '/api/v1/notifications/unread-count' },
  createApproval: { method: 'POST', path: '/api/v1/approvals', keyed: true },
  createArticle: { method: 'POST', path: '/api/v1/content/articles', keyed: true },
  createCalendarKey: { method: 'POST', path: '/api/v1/users/me/calendar-key', keyed: true },
  createCategory: { method: 'POST', path: '/api/v1/content/categories', keyed: true },
  createDepartment: { method: 'POST', path: '/api/v1/departments', keyed: true },
  createInvitation: { method: 'POST', path: '/api/v1/invitations', keyed: true },
  createKey: { method: 'POST', path: '/api/v1/service-accounts/{id}/keys', keyed: true },
  createMenu: { method: 'POST', path: '/api/v1/menus', keyed: true },
  createPermission: { method: 'POST', path: '/api/v1/permissions', keyed: true },
  createProject: { method: 'POST', path: '/api/v1/projects', keyed: true },
  createRole: { method: 'POST', path: '/api/v1/roles', keyed: true },
  createServiceAccount: { method: 'POST', path: '/api/v1/service-accounts', keyed: true },
  createTask: { method: 'POST', path: '/api/v1/projects/{id}/tasks', keyed: true },
  createTenant: { method: 'POST', path: '/api/v1/tenants', keyed: true },
  createUser: { method: 'POST', path: '/api/v1/users', keyed: true },
  createWebhook: { method: 'POST', path: '/api/v1/webhooks', keyed: true },
  deleteArticle: { method: 'DELETE', path: '/api/v1/content/articles/{id}' },
  deleteCategory: { method: 'DELETE', path: '/api/v1/content/categories/{id}' },
  deleteContactMessage: { method: 'DELETE', path: '/api/v1/content/contact-messages/{id}' },
  deleteDepartment: { method: 'DELETE', path: '/api/v1/departments/{id}' },
  deleteFile: { method: 'DELETE', path: '/api/v1/files/{tenantId}/{filename}' },
  deleteIdentityProvider: { method: 'DELETE', path: '/api/v1/tenant/identity-provider' },
  deleteMenu: { method: 'DELETE', path: '/api/v1/menus/{id}' },
  deletePermission: { method: 'DELETE', path: '/api/v1/permissions/{id}' },
  deleteRole: { method: 'DELETE', path: '/api/v1/roles/{id}' },
  deleteServiceAccount: { method: 'DELETE', path: '/api/v1/service-accounts/{id}' },
  deleteUser: { method: 'DELETE', path: '/api/v1/users/{id}' },
  deleteWebhook: { method: 'DELETE', path: '/api/v1/webhooks/{id}' },
  downloadFile: { method: 'GET', path: '/api/v1/files/{tenantId}/{filename}', answers: 'bytes' },
  downloadPublicFile: { method: 'GET', path: '/api/v1/public/files/{tenantId}/{filename}', answers: 'bytes' },
  endOtherSessions: { method: 'DELETE', path: '/api/v1/auth/sessions' },
  endSession: { method: 'DELETE', path: '/api/v1/auth/sessions/{id}' },
  endSessionsOfUser: { method: 'DELETE', path: '/api/v1/users/{id}/sessions' },
  exchangeSignInCode: { method: 'POST', path: '/api/v1/auth/oidc/exchange' },
  exportTenant: { method: 'GET', path: '/api/v1/tenant/export', answers: 'bytes' },
  finishProviderSignIn: { method: 'GET', path: '/api/v1/auth/oidc/callback' },
  finishProviderSignInOfTenant: { method: 'GET', path: '/api/v1/auth/oidc/callback/{tenantCode}' },
  getAnalyticsOverview: { method: 'GET', path: '/api/v1/analytics/overview' },
  getApproval: { method: 'GET', path: '/api/v1/approvals/{id}' },
  getArticle: { method: 'GET', path: '/api/v1/content/articles/{id}' },
  getBlogPost: { method: 'GET', path: '/api/v1/public/blog/{id}' },
  getCategory: { method: 'GET', path: '/api/v1/content/categories/{id}' },
  getDashboardStats: { method: 'GET', path: '/api/v1/dashboard/stats' },
  getDataOverview: { method: 'GET', path: '/api/v1/data/overview' },
  getDepartment: { method: 'GET', path: '/api/v1/departments/{id}' },
  getHealth: { method: 'GET', path: '/api/v1/system/health' },
  getIdentityProvider: { method: 'GET', path: '/api/v1/tenant/identity-provider' },
  getInvitation: { method: 'GET', path: '/api/v1/invitations/{id}' },
  getMe: { method: 'GET', path: '/api/v1/auth/me' },
  getMenu: { method: 'GET', path: '/api/v1/menus/{id}' },
  getOnlineUsers: { method: 'GET', path: '/api/v1/monitor/online' },
  getOrder: { method: 'GET', path: '/api/v1/payments/orders/{orderNo}' },
  getOrganization: { method: 'GET', path: '/api/v1/organizations/current' },
  getProfile: { method: 'GET', path: '/api/v1/users/me' },
  getProject: { method: 'GET', path: '/api/v1/projects/{id}' },
  getPublicAbout: { method: 'GET', path: '/api/v1/public/about' },
  getPublicHome: { method: 'GET', path: '/api/v1/public/home' },
  getPublicProduct: { method: 'GET', path: '/api/v1/public/product' },
  getRole: { method: 'GET', path: '/api/v1/roles/{id}' },
  getServerState: { method: 'GET', path: '/api/v1/monitor/server' },
  getServiceAccount: { method: 'GET', path: '/api/v1/service-accounts/{id}' },
  getSignInMethods: { method: 'GET', path: '/api/v1/auth/sign-in-methods' },
  getTask: { method: 'GET', path: '/api/v1/tasks/{id}' },
  getTenant: { method: 'GET', path: '/api/v1/tenants/{id}' },
  getTenantSettings: { method: 'GET', path: '/api/v1/tenant/settings' },
  getTenantUsage: { method: 'GET', path: '/api/v1/tenant/usage' },
  getUser: { method: 'GET', path: '/api/v1/users/{id}' },
  getWebhook: { method: 'GET', path: '/api/v1/webhooks/{id}' },
  getWebhookDelivery: { method: 'GET', path: '/api/v1/webhooks/{id}/deliveries/{deliveryId}' },
  handOver: { method: 'POST', path: '/api/v1/users/{id}/hand-over', keyed: true },
  handleContactMessage: { method: 'PUT', path: '/api/v1/content/contact-messages/{id}' },
  listAllTasks: { method: 'GET', path: '/api/v1/tasks', list: 'array' },
  listApprovals: { method: 'GET', path: '/api/v1/approvals', list: 'array' },
  listArticles: { method: 'GET', path: '/api/v1/content/articles', list: 'page' },
  listAuditOperations: { method: 'GET', path: '/api/v1/audit/operations', list: 'array' },
  listBlogComments: { method: 'GET', path: '/api/v1/public/blog/{id}/comments', list: 'array' },
  listBlogPosts: { method: 'GET', path: '/api/v1/public/blog', list: 'page' },
  listCategories: { method: 'GET', path: '/api/v1/content/categories', list: 'array' },
  listComments: { method: 'GET', path: '/api/v1/content/comments', list: 'array' },
  listConfigEntries: { method: 'GET', path: '/api/v1/config/list', list: 'page' },
  listContactMessages: { method: 'GET', path: '/api/v1/content/contact-messages', list: 'array' },
  listDemoDepartments: { method: 'GET', path: '/api/v1/dept/list' },
  listDepartmentMembers: { method: 'GET', path: '/api/v1/departments/{id}/members', list: 'array' },
  listDepartments: { method: 'GET', path: '/api/v1/departments' },
  listDictionaries: { method: 'GET', path: '/api/v1/dict/list', list: 'page' },
  listErrorLogs: { method: 'GET', path: '/api/v1/log/error', list: 'page' },
  listEvents: { method: 'GET', path: '/api/v1/events' },
  listFiles: { method: 'GET', path: '/api/v1/files', list: 'array' },
  listFindings: { method: 'GET', path: '/api/v1/system/findings' },
  listInvitations: { method: 'GET', path: '/api/v1/invitations', list: 'array' },
  listJobs: { method: 'GET', path: '/api/v1/system/jobs' },
  listKeys: { method: 'GET', path: '/api/v1/service-accounts/{id}/keys', list: 'array' },
  listLoginLogs: { method: 'GET', path: '/api/v1/log/login', list: 'page' },
  listMails: { method: 'GET', path: '/api/v1/mails', list: 'array' },
  listMenuTree: { method: 'GET', path: '/api/v1/menus/tree' },
  listMyMenus: { method: 'GET', path: '/api/v1/menus' },
  listNotices: { method: 'GET', path: '/api/v1/notice/list', list: 'page' },
  listNotifications: { method: 'GET', path: '/api/v1/notifications', list: 'array' },
  listOperationLogs: { method: 'GET', path: '/api/v1/log/operation', list: 'page' },
  listOrders: { method: 'GET', path: '/api/v1/payments/orders', list: 'array' },
  listPermissions: { method: 'GET', path: '/api/v1/permissions' },
  listProjectActivities: { method: 'GET', path: '/api/v1/projects/{id}/activities', list: 'array' },
  listProjectMembers: { method: 'GET', path: '/api/v1/projects/{id}/members', list: 'array' },
  listProjects: { method: 'GET', path: '/api/v1/projects', list: 'array' },
  listPublicFeatures: { method: 'GET', path: '/api/v1/public/features' },
  listPublicGuides: { method: 'GET', path: '/api/v1/public/docs' },
  listPublicPlans: { method: 'GET', path: '/api/v1/public/pricing' },
  listPublicQuestions: { method: 'GET', path: '/api/v1/public/faq' },
  listResponsibilities: { method: 'GET', path: '/api/v1/users/{id}/responsibilities' },
  listRoles: { method: 'GET', path: '/api/v1/roles', list: 'page' },
  listServiceAccounts: { method: 'GET', path: '/api/v1/service-accounts', list: 'array' },
  listSessions: { method: 'GET', path: '/api/v1/auth/sessions', list: 'array' },
  listTaskActivities: { method: 'GET', path: '/api/v1/tasks/{id}/activities', list: 'array' },
  listTaskComments: { method: 'GET', path: '/api/v1/tasks/{id}/comments', list: 'array' },
  listTasks: { method: 'GET', path: '/api/v1/projects/{id}/tasks', list: 'array' },
  listTenants: { method: 'GET', path: '/api/v1/tenants', list: 'array' },
  listUserDirectory: { method: 'GET', path: '/api/v1/users/directory', list: 'array' },
  listUsers: { method: 'GET', path: '/api/v1/users', list: 'page' },
  listWebhookDeliveries: { method: 'GET', path: '/api/v1/webhooks/{id}/deliveries', list: 'array' },
  listWebhooks: { method: 'GET', path: '/api/v1/webhooks', list: 'array' },
  login: { method: 'POST', path: '/api/v1/auth/login' },
  logout: { method: 'POST', path: '/api/v1/auth/logout', keyed: true },
  markAllNotificationsRead: { method: 'PUT', path: '/api/v1/notifications/read-all' },
  markNotificationRead: { method: 'PUT', path: '/api/v1/notifications/{id}/read' },
  moderateBlogComment: { method: 'PUT', path: '/api/v1/content/comments/{id}' },
  orderRenewal: { method: 'POST', path: '/api/v1/tenant/renewals', keyed: true },
  previewInvitation: { method: 'POST', path: '/api/v1/auth/invitations/preview' },
  readCalendar: { method: 'GET', path: '/api/v1/calendar/{key}.ics', answers: 'bytes' },
  reassignApproval: { method: 'POST', path: '/api/v1/approvals/{id}/reassign', keyed: true },
  redeliverWebhook: { method: 'POST', path: '/api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', keyed: true },
  refreshSession: { method: 'POST', path: '/api/v1/auth/refresh' },
  register: { method: 'POST', path: '/api/v1/auth/register', keyed: true },
  rejectApproval: { method: 'POST', path: '/api/v1/approvals/{id}/reject', keyed: true },
  removeCalendarKey: { method: 'DELETE', path: '/api/v1/users/me/calendar-key' },
  removeDepartmentMember: { method: 'DELETE', path: '/api/v1/departments/{id}/members/{userId}' },
  removeMySubstitute: { method: 'DELETE', path: '/api/v1/users/me/substitute' },
  removeProjectMember: { method: 'DELETE', path: '/api/v1/projects/{id}/members/{userId}' },
  removeSecondFactor: { method: 'DELETE', path: '/api/v1/auth/second-factor' },
  reopenTenant: { method: 'POST', path: '/api/v1/tenants/{id}/reopen', keyed: true },
  replaceDepartment: { method: 'PUT', path: '/api/v1/departments/{id}' },
  replacePortalSection: { method: 'PUT', path: '/api/v1/content/portal/{section}' },
  replayWebhook: { method: 'POST', path: '/api/v1/webhooks/{id}/replay', keyed: true },
  reportPayment: { method: 'POST', path: '/api/v1/payments/callback/{provider}' },
  requestPasswordReset: { method: 'POST', path: '/api/v1/auth/password-resets', keyed: true },
  resendInvitation: { method: 'POST', path: '/api/v1/invitations/{id}/resend', keyed: true },
  restoreUser: { method: 'POST', path: '/api/v1/users/{id}/restore', keyed: true },
  retryMail: { method: 'POST', path: '/api/v1/mails/{id}/retry', keyed: true },
  revokeKey: { method: 'DELETE', path: '/api/v1/service-accounts/{id}/keys/{keyId}' },
  rotateWebhookSecret: { method: 'POST', path: '/api/v1/webhooks/{id}/rotate-secret', keyed: true },
  saveIdentityProvider: { method: 'PUT', path: '/api/v1/tenant/identity-provider' },
  sendContactMessage: { method: 'POST', path: '/api/v1/public/contact', keyed: true },
  setMySubstitute: { method: 'PUT', path: '/api/v1/users/me/substitute' },
  setSubstitute: { method: 'PUT', path: '/api/v1/users/{id}/substitute' },
  startProviderSignIn: { method: 'GET', path: '/api/v1/auth/oidc/start' },
  streamNotifications: { method: 'GET', path: '/api/v1/notifications/stream', answers: 'events' },
  submitApproval: { method: 'POST', path: '/api/v1/approvals/{id}/submit', keyed: true },
  takeOffSecondFactor: { method: 'DELETE', path: '/api/v1/users/{id}/second-factor' },
  testWebhook: { method: 'POST', path: '/api/v1/webhooks/{id}/test', keyed: true },
  unarchiveProject: { method: 'PUT', path: '/api/v1/projects/{id}/unarchive' },
  updateApproval: { method: 'PUT', path: '/api/v1/approvals/{id}' },
  updateArticle: { method: 'PUT', path: '/api/v1/content/articles/{id}' },
  updateCategory: { method: 'PUT', path: '/api/v1/content/categories/{id}' },
  updateMenu: { method: 'PUT', path: '/api/v1/menus/{id}' },
  updateOrganization: { method: 'PUT', path: '/api/v1/organizations/{id}' },
  updatePermission: { method: 'PUT', path: '/api/v1/permissions/{id}' },
  updateProfile: { method: 'PUT', path: '/api/v1/users/me' },
  updateProject: { method: 'PUT', path: '/api/v1/projects/{id}' },
  updateRole: { method: 'PUT', path: '/api/v1/roles/{id}' },
  updateServiceAccount: { method: 'PUT', path: '/api/v1/service-accounts/{id}' },
  updateTask: { method: 'PUT', path: '/api/v1/tasks/{id}' },
  updateTenant: { method: 'PUT', path: '/api/v1/tenants/{id}' },
  updateTenantSettings: { method: 'PUT', path: '/api/v1/tenant/settings' },
  updateUser: { method: 'PUT', path: '/api/v1/users/{id}' },
  updateWebhook: { method: 'PUT', path: '/api/v1/webhooks/{id}' },
  uploadFile: { method: 'POST', path: '/api/v1/files', keyed: true, form: true },
  withdrawInvitation: { method: 'DELETE', path: '/api/v1/invitations/{id}' },
} as const
