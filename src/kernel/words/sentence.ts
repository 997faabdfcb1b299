import type { DomainSentence, Words } from './domain.ts'

/**
 * The sentences for a person who is refused, in each language. A sentence is identified by its English wording, so that
 * a fault can be read where it is declared; the Chinese one follows. Undeclared sentences do not compile: each belongs
 * to its domain, or here if any request can get it. `{name}` is a fact of the detail that the sentence belongs to: an
 * integer, a code or a list of them, never text of the request.
 */
const GENERAL = {
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
  'The plan of this tenant has no room for this': '当前租户的套餐额度不足',
  'This Idempotency-Key was used already; read the resource before you try again':
    '此 Idempotency-Key 已被使用，请先查看结果再决定是否重试',
  'This was changed since it was read': '内容已被更新，请刷新后重试',
  'read it and try again': '请刷新后重试',
  'The body is too large': '请求体过大',
  'The address is too long': '请求地址过长',
  'The request took too long to arrive': '请求未能及时传输完成',
  'The content type of the body is not accepted here': '不支持该请求体的内容类型',
  'Too many attempts; try again later': '操作过于频繁，请稍后再试',
  'The headers are too large': '请求头过大',
  'This takes too long to find; narrow the search or the filters': '查询耗时过长，请缩小搜索或筛选范围',
  'Something went wrong on our side': '服务器出现异常，请稍后再试',
  'The service is not available at the moment; try again shortly': '服务暂时不可用，请稍后再试',
  'A stored secret cannot be decrypted; the operator has to restore its key':
    '无法解密已存储的密钥，请联系运维人员恢复加密密钥',
  'The connection was lost while saving; read the resource before you try again':
    '保存时连接中断，请先查看结果再决定是否重试',
  'is required': '此项必填',
  'is not valid': '内容无效',
  'must not be blank': '不能为空',
  'must not be empty': '至少需要一项',
  'must be text': '必须是文本',
  'must be a number': '必须是数字',
  'must be a whole number': '必须是整数',
  'must be a positive integer': '必须是正整数',
  'must be a list of positive integers': '必须是正整数的列表',
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
  'must be an IANA time zone': '必须是有效的时区名称',
  'must be one line without control characters': '只能是一行，且不能包含控制字符',
  'is reserved': '为系统保留',
  'no more than {limit} bytes': '最多 {limit} 字节',
  'and {count} more': '另有 {count} 项',
  'must be a list of entity tags, or *': '必须是 ETag 列表或 *',
  'contains fields that are not known': '包含未知字段',
  'text must not contain NUL characters or lone surrogates': '文本不能包含 NUL 字符或不成对的代理项',
  'a key occurs twice in one object': '同一对象中存在重复的键',
  'a key is not allowed': '包含不允许的键',
  'the body is nested too deeply': '请求体嵌套过深',
  'the address is not valid text': '请求地址包含无效字符',
  'former member': '前成员',
  'Change your password first': '请先修改密码',
  'Add a second factor to your account first': '请先为账号启用双重验证',
  'There is no such tenant': '租户不存在',
  'This tenant is disabled': '该租户已被停用',
  'The subscription of this tenant has expired': '该租户的订阅已过期',
} as const

export type Sentence = keyof typeof GENERAL | DomainSentence

export const LANGUAGES = ['en', 'zh-CN'] as const
export type Language = (typeof LANGUAGES)[number]

const chinese = new Map<string, string>(Object.entries(GENERAL))

/** Registers the sentences of a domain. @throws Error if one is declared twice */
export function declareSentences(sentences: NonNullable<Words['sentences']>): void {
  for (const [english, said] of Object.entries(sentences)) {
    if (chinese.has(english)) throw new Error(`The sentence “${english}” is declared twice`)
    chinese.set(english, said)
  }
}

/** Every declared sentence. */
export function allSentences(): readonly Sentence[] {
  return [...chinese.keys()] as Sentence[]
}

/** What fills a placeholder: never text of the request. */
export type Fact = number | string | readonly (number | string)[]

/** A sentence without placeholders. */
export type PlainSentence = Exclude<Sentence, `${string}{${string}`>

/** The names of the placeholders in a sentence. */
export type FactsOf<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | FactsOf<Rest> : never

/** Returns the same sentence; where nothing else checks that it is declared. */
export const sentence = <S extends Sentence>(words: S): S => words

/** Whether a text is a declared sentence. */
export function isSentence(text: string): text is Sentence {
  return chinese.has(text)
}

/** The sentence in a language, with its placeholders filled. */
export function translate(language: Language, sentence: Sentence, facts: Record<string, unknown> = {}): string {
  return fill(language, language === 'zh-CN' ? chinese.get(sentence)! : sentence, facts)
}

/** Fills the placeholders of a text; a list is written as is usual in the language. */
export function fill(language: Language, words: string, facts: Record<string, unknown>): string {
  const comma = language === 'zh-CN' ? '、' : ', '
  return words.replace(/\{(\w+)\}/g, (_, name: string) => [facts[name] as Fact].flat().join(comma))
}
