import type { Language } from '#atrium'

/**
 * The demo data in Chinese, text by text: the very words that the admin pages filter by and colour their tags for. What
 * is not here reads the same in both languages.
 */
const CHINESE: Record<string, string> = {
  Dashboard: '仪表盘',
  Projects: '项目',
  Tasks: '任务',
  Approvals: '审批',
  Articles: '文章',

  Administrator: '管理员',
  Administrators: '管理员',
  Managers: '经理',
  Users: '用户',
  'Head office': '总部',
  Engineering: '研发部',
  Product: '产品部',
  Sales: '销售部',
  Operations: '运营部',
  Platform: '平台组',
  Apps: '应用组',

  'Signed in': '登录成功',
  'Wrong password': '密码错误',

  User: '用户管理',
  Role: '角色管理',
  Menu: '菜单管理',
  Settings: '系统设置',
  Log: '日志管理',
  Project: '项目管理',
  Task: '任务管理',
  Article: '内容管理',
  File: '文件管理',
  Create: '新增',
  Update: '编辑',
  Delete: '删除',
  Archive: '归档',
  Upload: '上传',
  Export: '导出',
  'Created a user': '新增了一个用户',
  'Changed the permissions of a role': '修改了角色的权限',
  'Archived a project': '归档了一个项目',
  'Moved a task': '移动了一个任务',
  'Deleted a draft': '删除了一篇草稿',
  'Uploaded a document': '上传了一份文档',
  'Hid a menu': '隐藏了一个菜单',
  'Changed the upload limit': '修改了上传大小限制',
  'Exported the sign-ins of a week': '导出了一周的登录记录',

  'The request timed out after 10000 ms': '请求在 10000 毫秒后超时',
  'A chunk of the page could not be loaded': '页面的一个分块加载失败',

  'Site name': '站点名称',
  Registration: '开放注册',
  'Upload limit': '上传大小限制',
  'Session length': '会话时长',
  'Time zone': '时区',
  Language: '语言',
  Watermark: '水印',
  'Support address': '支持邮箱',
  'Shown in the title of every page': '显示在每个页面的标题中',
  'Whether visitors may register': '访客是否可以注册',
  'Bytes for each file': '单个文件的字节数',
  'Days without a sign-in': '免登录的天数',
  'For reports': '用于报表',
  'Of new users': '新用户的默认语言',
  'On every page': '显示在每个页面上',
  'Shown on error pages': '显示在错误页面上',

  'Task status': '任务状态',
  'Task priority': '任务优先级',
  'Approval status': '审批状态',
  'Article status': '文章状态',
  'User status': '用户状态',
  'Payment channel': '支付渠道',
  Todo: '待办',
  'In progress': '进行中',
  Blocked: '受阻',
  Done: '已完成',
  Cancelled: '已取消',
  Low: '低',
  Medium: '中',
  High: '高',
  Urgent: '紧急',
  Draft: '草稿',
  Pending: '审批中',
  Approved: '已通过',
  Rejected: '已驳回',
  Published: '已发布',
  Active: '启用',
  Disabled: '停用',
  Alipay: '支付宝',
  Wechat: '微信支付',
  Card: '银行卡',

  notice: '通知',
  announcement: '公告',
  'Maintenance on Saturday': '周六停机维护',
  'The service is down from 02:00 to 02:30 UTC.': '服务将于 UTC 时间 02:00 至 02:30 停机。',
  'Approvals in two steps': '两步审批',
  'Requests now go to the department leader first, then to an administrator.':
    '申请先由部门负责人审批，再由管理员审批。',
  'New project templates': '新的项目模板',
  'Choose one when you create a project.': '新建项目时可以选择模板。',
  'Change your password': '请修改密码',
  'Passwords older than a year should be changed.': '使用超过一年的密码应当修改。',
  'Quarterly review': '季度回顾',
  'Please close finished projects until the end of the month.': '请在月底前归档已完成的项目。',
  'Welcome, new colleagues': '欢迎新同事',
  'Four people have joined us this month.': '本月有四位同事加入。',

  Visits: '访问量',
  Orders: '订单',
  Revenue: '营收',
  Conversion: '转化率',
  'New users': '新增用户',
  Subscription: '订阅',
  Renewal: '续费',
  Refund: '退款',
  completed: '已完成',
  pending: '待支付',
  '12 days': '12 天',
}

/** Values that a client decides on, which are the same in every language. */
const FIXED = new Set(['id', 'key', 'value', 'status', 'path', 'page', 'username', 'method', 'color', 'border'])

/** Demo data in the language of its reader. @param fixed fields whose values stay as they are */
export function inLanguage<Value>(value: Value, language: Language, fixed: ReadonlySet<string> = FIXED): Value {
  return language === 'zh-CN' ? (inChinese(value, fixed) as Value) : value
}

/** Of the figures of sales, the state is a word for people. */
export const SAID_STATUS: ReadonlySet<string> = new Set([...FIXED].filter((field) => field !== 'status'))

function inChinese(value: unknown, fixed: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return Object.hasOwn(CHINESE, value) ? CHINESE[value] : value
  if (Array.isArray(value)) return value.map((item) => inChinese(item, fixed))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, fixed.has(field) ? inner : inChinese(inner, fixed)]),
  )
}
