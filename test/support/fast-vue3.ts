import { z } from 'zod'

/**
 * What the types of the client name (`packages/effects/api/src/types.ts` of tobe-fe-dalao/fast-vue3), each field with
 * its JSON type. Where a field is optional there and Atrium has nothing, it says null.
 */
export const text = z.string()
export const id = z.number().int().positive()
export const count = z.number()
export const instant = z.iso.datetime()
export const nothing = z.null()
/** The client wants nothing; what comes is not looked at. */
export const ignored = z.unknown()
/** Null if there is none, by the type or because the type allows it to be absent. */
const maybe = text.nullable()
/** Text by the type; the contract lets it be null, and the pages show null as nothing. */
const textOrNull = text.nullable()
const maybeId = id.nullable()
const active = z.enum(['active', 'disabled'])
const enabled = z.enum(['active', 'inactive'])
export const pageOf = (item: z.ZodType) =>
  z.object({ items: z.array(item).min(1), page: count, pageSize: count, total: count })
export const some = (item: z.ZodType) => z.array(item).min(1)

export const Tenant = z.object({
  id,
  name: text,
  code: text,
  status: active,
  plan: text,
  expiredAt: instant.nullable(),
  createdAt: instant,
})
export const Organization = z.object({ id, tenantId: id, name: text, code: text, status: active })
const departmentFields = {
  id,
  parentId: maybeId,
  name: text,
  code: text,
  leaderId: maybeId,
  sort: count,
  status: active,
}
export const Department = z.object({
  ...departmentFields,
  children: z.array(z.object({ ...departmentFields, children: z.array(z.unknown()) })),
})
export const DepartmentMember = z.object({ id, username: text, nickname: textOrNull, status: text })
export const Project = z.object({
  id,
  name: text,
  code: text,
  description: maybe,
  ownerId: id,
  status: z.enum(['ACTIVE', 'ARCHIVED']),
  startDate: maybe,
  endDate: maybe,
  version: count,
  memberIds: some(id),
  createdAt: instant,
  updatedAt: instant,
})
export const ProjectActivity = z.object({
  id,
  projectId: id,
  actorId: id,
  action: text,
  detail: maybe,
  createdAt: instant,
})
export const Task = z.object({
  id,
  projectId: id,
  title: text,
  description: maybe,
  assigneeId: maybeId,
  reporterId: id,
  priority: z.enum(['LOW', 'MEDIUM', 'HIGH', 'URGENT']),
  status: z.enum(['TODO', 'IN_PROGRESS', 'BLOCKED', 'DONE', 'CANCELLED']),
  dueDate: maybe,
  version: count,
  createdAt: instant,
  updatedAt: instant,
})
export const TaskComment = z.object({ id, taskId: id, authorId: id, content: text, createdAt: instant })
export const TaskActivity = z.object({
  id,
  taskId: id,
  actorId: id,
  action: text,
  fieldName: maybe,
  oldValue: maybe,
  newValue: maybe,
  createdAt: instant,
})
const step = { id, stepOrder: count, approverType: text, approverId: maybeId, status: text, actedAt: maybe }
export const Approval = z.object({
  id,
  type: text,
  title: text,
  businessKey: maybe,
  applicantId: id,
  departmentId: maybeId,
  status: z.enum(['DRAFT', 'PENDING', 'APPROVED', 'REJECTED', 'CANCELLED']),
  currentStep: count,
  payload: maybe,
  version: count,
  steps: z.array(z.object(step)),
  createdAt: instant,
  updatedAt: instant,
})
export const Notification = z.object({
  id,
  type: text,
  title: text,
  content: maybe,
  receiverId: id,
  read: z.boolean(),
  createdAt: instant,
})
export const UnreadCount = z.object({ count })
export const Operation = z.object({
  id,
  requestId: text,
  tenantId: id,
  userId: maybeId,
  method: text,
  path: text,
  ip: text,
  userAgent: text,
  duration: count,
  status: count,
  createdAt: instant,
})
export const StoredFile = z.object({ key: text, originalName: text, contentType: text, size: count, url: text })
export const Tokens = z.object({ accessToken: text, refreshToken: text, expiresIn: count })
export const Registered = z.object({ id, username: text, email: maybe, status: active })
export const Me = z.object({
  id,
  tenantId: id,
  username: text,
  nickname: textOrNull,
  roles: some(text),
  permissions: some(text),
})
export const User = z.object({
  id,
  username: text,
  nickname: maybe,
  realName: maybe,
  email: maybe,
  phone: maybe,
  roles: z.array(text),
  status: active,
  createdAt: instant,
})
export const Role = z.object({
  id,
  code: text,
  name: text,
  description: maybe,
  permissions: z.array(text),
  menuIds: z.array(id),
  createdAt: instant,
  updatedAt: instant,
})
export const Permission = z.object({ id, code: text, name: text, description: maybe })
const menuFields = {
  id,
  parentId: count,
  name: text,
  path: maybe,
  component: maybe,
  icon: maybe,
  sort: count,
  visible: z.boolean(),
  permission: maybe,
  type: z.enum(['directory', 'menu', 'button']),
}
export const Menu = z.object({ ...menuFields, children: z.array(z.object(menuFields)) })
export const MenuAlone = z.object(menuFields)
export const Article = z.object({
  id,
  title: text,
  author: textOrNull,
  category: text,
  categoryId: maybeId,
  content: z.array(text),
  cover: textOrNull,
  date: text,
  status: z.enum(['draft', 'published']),
  summary: textOrNull,
  tags: z.array(text),
})
export const Category = z.object({ id, name: text, slug: text, description: textOrNull, status: enabled })
export const Post = z.object({
  id,
  title: text,
  author: text,
  category: text,
  content: z.array(text),
  cover: text,
  date: text,
  excerpt: text,
  tags: z.array(text),
})
export const Blog = pageOf(Post).extend({ categories: some(text) })
export const BlogComment = z.object({ id, articleId: id, username: text, content: text, createdAt: instant })
const highlights = some(z.object({ title: text, description: text }))
const stats = some(z.object({ label: text, value: text }))
const member = z.object({ name: text, role: text, avatar: text.optional() })
const milestone = z.object({ date: text, title: text, description: text })
export const About = z.object({ intro: text, stats, team: some(member), milestones: some(milestone) })
export const Home = z.object({
  highlights,
  stats,
  testimonials: some(z.object({ name: text, role: text, content: text })),
})
export const Section = z.object({
  id,
  title: text,
  description: text,
  items: some(z.object({ title: text, path: text })),
})
export const Feature = z.object({ id, title: text, description: text, icon: text })
export const Product = z.object({ name: text, slogan: text, highlights })
export const Question = z.object({ id, category: text, question: text, answer: text })
export const Receipt = z.object({ accepted: z.literal(true), email: text, submittedAt: instant })
export const Plan = z.object({
  id,
  name: text,
  description: text,
  price: text,
  period: text,
  features: some(text),
  highlighted: z.boolean(),
})
export const Order = z.object({
  id,
  orderNo: text,
  planId: id,
  planName: text,
  amountCents: count,
  currency: z.literal('CNY'),
  channel: z.enum(['alipay', 'wechat', 'card']),
  status: z.literal('pending'),
  checkoutUrl: text,
  createdAt: instant,
  expiresAt: instant,
})
export const Dashboard = z.object({
  todayVisits: count,
  totalUsers: count,
  activeUsers: count,
  todayOrders: count,
  weeklyGrowth: count,
  monthlyRevenue: count,
  conversionRate: count,
  systemUptime: count,
  weeklyTrend: z.object({ days: some(text), visits: some(count), users: some(count) }),
  roleDistribution: some(z.object({ name: text, value: count })),
  topPages: some(z.object({ path: text, title: text, visits: count })),
  recentActivities: some(z.object({ id, user: text, action: text, time: text })),
})
export const Analytics = z.object({
  stats: some(z.object({ color: text, suffix: text, title: text, value: count })),
  trend: some(z.object({ date: text, visits: count, users: count, orders: count, revenue: count })),
  topPages: some(z.object({ page: text, title: text, visits: count, avgTime: text })),
})
export const DataOverview = z.object({
  stats: some(z.object({ border: text, prefix: text.optional(), suffix: text, title: text, value: count })),
  recent: some(z.object({ date: text, type: text, amount: text, status: text })),
})
const outcome = z.enum(['success', 'fail'])
const where = { id, ip: text, browser: text, os: text }
export const LoginLog = z.object({ ...where, username: text, status: outcome, message: text, createdAt: text })
export const OperationLog = z.object({
  id,
  username: text,
  module: text,
  action: text,
  description: text,
  ip: text,
  method: text,
  status: outcome,
  duration: count,
  createdAt: text,
})
export const ErrorLog = z.object({
  id,
  type: text,
  message: text,
  page: text,
  stack: text,
  browser: text,
  os: text,
  status: z.enum(['pending', 'resolved']),
  createdAt: text,
})
export const Config = z.object({
  id,
  name: text,
  key: text,
  value: text,
  type: z.enum(['built-in', 'custom']),
  remark: text,
  createdAt: text,
})
const demoDepartment = { id, name: text, leader: text, order: count, status: enabled, createdAt: text }
export const DemoDepartment = z.object({ ...demoDepartment, children: z.array(z.object(demoDepartment)).optional() })
export const Dictionary = z.object({
  id,
  name: text,
  type: text,
  status: enabled,
  remark: text,
  createdAt: text,
  data: some(z.object({ label: text, value: text })),
})
export const Notice = z.object({
  id,
  title: text,
  type: text,
  status: enabled,
  author: text,
  content: text,
  createdAt: text,
})
const onlineUser = z.object({ ...where, username: text, realName: text, department: text, loginAt: text })
export const Online = z.object({ items: some(onlineUser), total: count })
const store = z.object({ total: text, used: text, usage: count })
export const Server = z.object({
  cpu: z.object({ cores: count, model: text, usage: count }),
  memory: store,
  disk: store,
  runtime: z.object({ node: text, os: text, port: count, uptime: text }),
  trend: some(z.object({ time: text, usage: count })),
})
