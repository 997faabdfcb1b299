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
/** Fields of one type. */
const each = (type: z.ZodType, names: string) => Object.fromEntries(names.split(' ').map((name) => [name, type]))
export const some = (item: z.ZodType) => z.array(item).min(1)

export const Tenant = z.object({
  id,
  ...each(text, 'name code plan'),
  status: active,
  expiredAt: instant.nullable(),
  createdAt: instant,
})
export const Organization = z.object({ id, tenantId: id, name: text, code: text, status: active })
const departmentFields = {
  id,
  ...each(maybeId, 'parentId leaderId'),
  ...each(text, 'name code'),
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
  ...each(text, 'name code'),
  ...each(maybe, 'description startDate endDate'),
  ownerId: id,
  status: z.enum(['ACTIVE', 'ARCHIVED']),
  version: count,
  memberIds: some(id),
  ...each(instant, 'createdAt updatedAt'),
})
export const ProjectActivity = z.object({
  id,
  ...each(id, 'projectId actorId'),
  action: text,
  detail: maybe,
  createdAt: instant,
})
export const Task = z.object({
  id,
  ...each(id, 'projectId reporterId'),
  title: text,
  ...each(maybe, 'description dueDate'),
  assigneeId: maybeId,
  priority: z.enum(['LOW', 'MEDIUM', 'HIGH', 'URGENT']),
  status: z.enum(['TODO', 'IN_PROGRESS', 'BLOCKED', 'DONE', 'CANCELLED']),
  version: count,
  ...each(instant, 'createdAt updatedAt'),
})
export const TaskComment = z.object({ id, taskId: id, authorId: id, content: text, createdAt: instant })
export const TaskActivity = z.object({
  id,
  ...each(id, 'taskId actorId'),
  action: text,
  ...each(maybe, 'fieldName oldValue newValue'),
  createdAt: instant,
})
const step = { id, stepOrder: count, approverType: text, approverId: maybeId, status: text, actedAt: maybe }
export const Approval = z.object({
  id,
  ...each(text, 'type title'),
  ...each(maybe, 'businessKey payload'),
  applicantId: id,
  departmentId: maybeId,
  status: z.enum(['DRAFT', 'PENDING', 'APPROVED', 'REJECTED', 'CANCELLED']),
  ...each(count, 'currentStep version'),
  steps: z.array(z.object(step)),
  ...each(instant, 'createdAt updatedAt'),
})
export const Notification = z.object({
  id,
  ...each(text, 'type title'),
  content: maybe,
  receiverId: id,
  read: z.boolean(),
  createdAt: instant,
})
export const UnreadCount = z.object({ count })
export const Operation = z.object({
  id,
  ...each(text, 'requestId method path ip userAgent'),
  tenantId: id,
  userId: maybeId,
  ...each(count, 'duration status'),
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
  ...each(maybe, 'nickname realName email phone'),
  roles: z.array(text),
  status: active,
  createdAt: instant,
})
export const Role = z.object({
  id,
  ...each(text, 'code name'),
  description: maybe,
  permissions: z.array(text),
  menuIds: z.array(id),
  ...each(instant, 'createdAt updatedAt'),
})
export const Permission = z.object({ id, code: text, name: text, description: maybe })
const menuFields = {
  id,
  ...each(count, 'parentId sort'),
  name: text,
  ...each(maybe, 'path component icon permission'),
  visible: z.boolean(),
  type: z.enum(['directory', 'menu', 'button']),
}
export const Menu = z.object({ ...menuFields, children: z.array(z.object(menuFields)) })
export const MenuAlone = z.object(menuFields)
export const Article = z.object({
  id,
  ...each(text, 'title category date'),
  ...each(textOrNull, 'author cover summary'),
  categoryId: maybeId,
  content: z.array(text),
  status: z.enum(['draft', 'published']),
  tags: z.array(text),
})
export const Category = z.object({ id, name: text, slug: text, description: textOrNull, status: enabled })
export const Post = z.object({
  id,
  ...each(text, 'title author category cover date excerpt'),
  content: z.array(text),
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
  ...each(text, 'title description'),
  items: some(z.object({ title: text, path: text })),
})
export const Feature = z.object({ id, title: text, description: text, icon: text })
export const Product = z.object({ name: text, slogan: text, highlights })
export const Question = z.object({ id, category: text, question: text, answer: text })
export const Receipt = z.object({ accepted: z.literal(true), email: text, submittedAt: instant })
export const Plan = z.object({
  id,
  ...each(text, 'name description price period'),
  features: some(text),
  highlighted: z.boolean(),
})
export const Order = z.object({
  id,
  ...each(text, 'orderNo planName checkoutUrl'),
  planId: id,
  amountCents: count,
  currency: z.literal('CNY'),
  channel: z.enum(['alipay', 'wechat', 'card']),
  status: z.literal('pending'),
  ...each(instant, 'createdAt expiresAt'),
})
export const Dashboard = z.object({
  ...each(
    count,
    'todayVisits totalUsers activeUsers todayOrders weeklyGrowth monthlyRevenue conversionRate systemUptime',
  ),
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
  ...each(text, 'username module action description ip method createdAt'),
  status: outcome,
  duration: count,
})
export const ErrorLog = z.object({
  id,
  ...each(text, 'type message page stack browser os createdAt'),
  status: z.enum(['pending', 'resolved']),
})
export const Config = z.object({
  id,
  ...each(text, 'name key value remark createdAt'),
  type: z.enum(['built-in', 'custom']),
})
const demoDepartment = { id, name: text, leader: text, order: count, status: enabled, createdAt: text }
export const DemoDepartment = z.object({ ...demoDepartment, children: z.array(z.object(demoDepartment)).optional() })
export const Dictionary = z.object({
  id,
  ...each(text, 'name type remark createdAt'),
  status: enabled,
  data: some(z.object({ label: text, value: text })),
})
export const Notice = z.object({ id, ...each(text, 'title type author content createdAt'), status: enabled })
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
