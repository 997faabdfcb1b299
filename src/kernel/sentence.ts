/**
 * Every sentence that the service says to a person who is refused, in each language: the one catalogue. A sentence is
 * called by its English wording, so that a fault can be read where it is declared; behind it stands the Chinese one.
 * What is not written down here does not compile. `{name}` is a fact of the detail that the sentence belongs to: an
 * integer, a code or a list of them, never text of the request.
 */
const CHINESE = {
  // Of any request
  'Some of the values are not valid': '部分内容填写有误',
  'The body is not valid JSON': '请求体不是有效的 JSON',
  'The request is not valid HTTP for this service': '请求不符合本服务的 HTTP 规范',
  'Pages this deep are not served; narrow the filters or use before=': '页码过深，请缩小筛选范围或改用 before 参数',
  'This command needs an Idempotency-Key header of 1 to 128 visible ASCII characters':
    '此操作需要提供 Idempotency-Key 请求头，由 1 至 128 个可见 ASCII 字符组成',
  'Sign in to continue': '请先登录',
  'You do not have the permission for this': '您没有执行此操作的权限',
  'Only the system administrator may do this': '仅系统管理员可以执行此操作',
  'This would belong to you, and you are nobody of this tenant': '您不属于该租户，无法在其中拥有此内容',
  'There is nothing at this address': '请求的地址不存在',
  'This address does not support the method': '该地址不支持此请求方法',
  'This Idempotency-Key was used already; read the resource before you try again':
    '此 Idempotency-Key 已被使用，请先查看结果再决定是否重试',
  'This was changed since it was read': '内容已被更新，请刷新后重试',
  'read it and try again': '请刷新后重试',
  'The body is too large': '请求体过大',
  'The address is too long': '请求地址过长',
  'The request took too long to arrive': '请求未能及时传输完成',
  'this step was decided meanwhile': '该步骤已由他人处理',
  'The content type of the body is not accepted here': '不支持该请求体的内容类型',
  'Too many attempts; try again later': '操作过于频繁，请稍后再试',
  'The headers are too large': '请求头过大',
  'Something went wrong on our side': '服务器出现异常，请稍后再试',
  'The service is not available at the moment; try again shortly': '服务暂时不可用，请稍后再试',
  'The connection was lost while saving; read the resource before you try again':
    '保存时连接中断，请先查看结果再决定是否重试',

  // Values
  'must be the id of an event': '必须是事件编号',
  'is required': '此项必填',
  'is not valid': '内容无效',
  'must not be blank': '不能为空',
  'must be text': '必须是文本',
  'must be a number': '必须是数字',
  'must be a whole number': '必须是整数',
  'must be a positive integer': '必须是正整数',
  'must be true or false': '必须是 true 或 false',
  'must be a list': '必须是列表',
  'must be an object': '必须是对象',
  'must be {values}': '必须是 {values}',
  'must be one of {values}': '必须是以下之一：{values}',
  'must have no fewer than {minimum} characters': '至少需要 {minimum} 个字符',
  'must have no more than {maximum} characters': '最多 {maximum} 个字符',
  'must have no fewer than {minimum} entries': '至少需要 {minimum} 项',
  'must have no more than {maximum} entries': '最多 {maximum} 项',
  'must be no less than {minimum}': '不能小于 {minimum}',
  'must be no more than {maximum}': '不能大于 {maximum}',
  'must be greater than {minimum}': '必须大于 {minimum}',
  'must be less than {maximum}': '必须小于 {maximum}',
  'must be from {minimum} to {maximum}': '必须在 {minimum} 到 {maximum} 之间',
  'must be a multiple of {divisor}': '必须是 {divisor} 的倍数',
  'must be an e-mail address': '必须是有效的邮箱地址',
  'must be a date in the form yyyy-MM-dd': '必须是格式为 yyyy-MM-dd 的有效日期',
  'must be a date of our era': '必须是公元纪年内的日期',
  'must be an instant in ISO 8601 with its offset': '必须是带时区的 ISO 8601 时间',
  'must be an instant of our era': '必须是公元纪年内的时间',
  'must be a list of entity tags, or *': '必须是 ETag 列表或 *',
  'contains fields that are not known': '包含未知字段',
  'text must not contain NUL characters or lone surrogates': '文本不能包含 NUL 字符或不成对的代理项',
  'a key occurs twice in one object': '同一对象中存在重复的键',
  'a key is not allowed': '包含不允许的键',
  'the body is nested too deeply': '请求体嵌套过深',
  'the address is not valid text': '请求地址包含无效字符',

  // Tenants and sign-in
  'There is no such tenant': '租户不存在',
  'This tenant is disabled': '该租户已被停用',
  'The subscription of this tenant has expired': '该租户的订阅已过期',
  'Tenant not found': '租户不存在',
  'This tenant code is taken': '该租户编码已被使用',
  'The first tenant can be neither disabled nor expired': '首个租户不能被停用，也不能设为过期',
  'must be 3 to 64 lower-case letters, digits and hyphens, beginning with a letter':
    '必须为 3 至 64 个小写字母、数字或连字符，以字母开头，且不能以连字符结尾',
  'The user name or the password is wrong': '用户名或密码错误',
  'The session has ended; sign in again': '会话已结束，请重新登录',
  'The current password is wrong': '当前密码错误',

  // People, roles, permissions, menus
  'User not found': '用户不存在',
  'Role not found': '角色不存在',
  'Permission not found': '权限不存在',
  'Menu not found': '菜单不存在',
  'Parent menu not found': '上级菜单不存在',
  'This user name is taken': '该用户名已被使用',
  'This role code is taken': '该角色编码已被使用',
  'The system administrator stays as they are': '系统管理员的账号不能变更',
  'The tenant would be left without an active administrator': '租户至少需要保留一名启用中的管理员',
  'This person still has work that nobody else would do': '该用户仍有未交接的工作',
  'owns project {id}': '是项目 {id} 的所有者',
  'leads department {id}': '是部门 {id} 的负责人',
  'task {id} is open': '任务 {id} 尚未完成',
  '{permission} is not yours': '您没有 {permission} 权限',
  'only administrators decide about administrators': '只有管理员才能管理其他管理员',
  'This code is reserved for a role of the service': '该编码为系统角色保留',
  'The code of a role does not change': '角色编码不能修改',
  'This role is part of the service: it can be neither deleted nor renamed': '系统内置角色不能删除或重命名',
  'Administrators keep what they hold': '管理员角色的授权不能修改',
  'Somebody still holds this role': '仍有用户拥有该角色',
  'user {id} holds the role': '用户 {id} 拥有该角色',
  'is reserved': '为系统保留',
  'does not change': '不能修改',
  'do not change': '不能修改',
  'must be letters, digits, hyphens and underscores, beginning with a letter':
    '只能包含字母、数字、连字符和下划线，且以字母开头',
  'This permission code is taken': '该权限编码已被使用',
  'This permission is part of the service': '系统内置权限不能修改或删除',
  'A role still holds this permission': '仍有角色拥有该权限',
  'must be a domain and an action, joined by a colon': '必须由模块和操作组成，并以冒号分隔',
  'A menu cannot lie below itself': '菜单不能移动到自身或其下级之下',
  'The menu still has menus below it': '该菜单下仍有子菜单',
  'menu {id} lies below it': '菜单 {id} 是其子菜单',
  'lies below this menu': '是该菜单的下级',

  // Organization
  'Organization not found': '组织不存在',
  'Department not found': '部门不存在',
  'Parent department not found': '上级部门不存在',
  'This department code is taken': '该部门编码已被使用',
  'A department cannot lie below itself': '部门不能移动到自身或其下级之下',
  'The department is still in use': '该部门仍在使用中',
  'This person leads a department and cannot leave it': '该成员是部门负责人，不能离开部门',
  'Requests are waiting for this leader; name another one first': '仍有审批等待该负责人处理，请先指定新的负责人',
  'lies below this department': '是该部门的下级',
  '{count} children left': '仍有 {count} 个下级部门',
  '{count} members left': '仍有 {count} 名成员',
  '{count} approvals left': '仍有 {count} 个待处理的审批',

  // Projects and tasks
  'Project not found': '项目不存在',
  'The project is archived': '项目已归档',
  'The project was changed by someone else': '项目已被他人修改',
  'read the project and try again': '请刷新项目后重试',
  'This project code is taken': '该项目编码已被使用',
  'The end date lies before the start date': '结束日期早于开始日期',
  'must not lie before startDate': '不能早于 startDate',
  'The owner cannot leave the project': '项目所有者不能退出项目',
  'The member still has open tasks in this project': '该成员在项目中仍有未完成的任务',
  'task {id} is still open': '任务 {id} 尚未完成',
  'Task not found': '任务不存在',
  'The task is finished and cannot be changed': '任务已结束，不能再修改',
  'The task cannot move to this status': '任务不能变更为该状态',
  '{from} can move to {allowed}': '{from} 只能变更为 {allowed}',
  'The assignee is not a member of the project': '执行人不是项目成员',
  'must be a member of the project': '必须是项目成员',
  'The task was changed by someone else': '任务已被他人修改',
  'read the task and try again': '请刷新任务后重试',

  // Approvals and notifications
  'Approval not found': '审批不存在',
  'Only the applicant may do this': '仅申请人可以执行此操作',
  'This request is not waiting for you': '该审批当前无需您处理',
  'The request is not in a state for this': '审批的当前状态不允许此操作',
  'a request that is {from} does not allow this': '{from} 状态的审批不允许此操作',
  'The request names no department': '审批未指定部门',
  'The department has no leader to decide': '该部门尚未设置负责人，无法审批',
  'Notification not found': '通知不存在',

  // Files
  'File not found': '文件不存在',
  'The upload is not one complete file in the part "file"': '请在名为 file 的表单字段中上传一个完整的文件',
  'Files of this kind are not accepted': '不支持该类型的文件',
  'The file is too large': '文件过大',
  'Only who uploaded a file, or an administrator, may delete it': '仅上传者或管理员可以删除该文件',
  'The file is not the one that was asked for': '文件与请求所指定的版本不一致',
  'The file has no such range': '请求的范围超出文件大小',
  'the file needs a name': '缺少文件名',
  'the name has more than {maximum} characters': '文件名超过 {maximum} 个字符',
  'the name contains characters that are not allowed': '文件名包含不允许的字符',
  'the extension is not one of the accepted': '不支持该扩展名',
  'the content is not what the extension says': '文件内容与扩展名不符',
  'the body is not a form': '请求体不是表单',
  'there must be one file': '只能上传一个文件',
  'there is no file': '未找到文件',
  'the file is empty': '文件为空',
  'the body ends too early': '请求体不完整',
  'the form is broken or incomplete': '表单已损坏或不完整',
  'no more than {limit} bytes': '最多 {limit} 字节',

  // Articles, comments, the portal, orders
  'Article not found': '文章不存在',
  'Category not found': '分类不存在',
  'Comment not found': '评论不存在',
  'There is a category with this name or slug already': '已存在同名或同标识的分类',
  'another category has this name': '该名称已被其他分类使用',
  'another category has this slug': '该标识已被其他分类使用',
  'There are articles in this category': '该分类下仍有文章',
  'move its articles first': '请先移走其中的文章',
  'must be lower-case letters, digits and hyphens': '只能包含小写字母、数字和连字符',
  'occurs twice': '重复出现',
  'Order not found': '订单不存在',
  'must be FV and 24 upper-case hexadecimal digits': '必须为 FV 加 24 位大写十六进制数字',
  'This plan cannot be paid online': '该套餐不支持在线支付',
  'must be a plan with a price': '必须是有定价的套餐',
} as const

export type Sentence = keyof typeof CHINESE

export const LANGUAGES = ['en', 'zh-CN'] as const
export type Language = (typeof LANGUAGES)[number]

export const SENTENCES = Object.keys(CHINESE) as readonly Sentence[]

/** What fills a placeholder: never text of the request. */
export type Fact = number | string | readonly (number | string)[]

/** A sentence without placeholders. */
export type PlainSentence = Exclude<Sentence, `${string}{${string}`>

/** The names of the placeholders in a sentence. */
export type FactsOf<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | FactsOf<Rest> : never

/** The same sentence; for places where nothing else makes sure that it is one of the catalogue. */
export const sentence = <S extends Sentence>(words: S): S => words

/** Whether a text is a sentence of the catalogue. */
export function isSentence(text: string): text is Sentence {
  return Object.hasOwn(CHINESE, text)
}

/** The sentence in a language, its placeholders filled with the facts. */
export function translate(language: Language, sentence: Sentence, facts: Record<string, unknown> = {}): string {
  const [words, comma] = language === 'zh-CN' ? [CHINESE[sentence], '、'] : [sentence, ', ']
  return words.replace(/\{(\w+)\}/g, (_, name: string) => [facts[name] as Fact].flat().join(comma))
}
