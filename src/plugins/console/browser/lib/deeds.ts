import type { AuditOperation } from './api.ts'
import { language, t } from './language.ts'
import { SUMMARIES } from './summaries.ts'

/** The past tense of the verbs that summaries begin with and that are irregular. */
const PAST: Record<string, string> = {
  begin: 'began',
  bring: 'brought',
  get: 'got',
  give: 'gave',
  hide: 'hid',
  make: 'made',
  read: 'read',
  send: 'sent',
  set: 'set',
  submit: 'submitted',
  take: 'took',
  try: 'tried',
  withdraw: 'withdrew',
  write: 'wrote',
}

type Operation = Pick<AuditOperation, 'method' | 'route' | 'path' | 'status'>

/** What was done, such as "deleted a role", or was tried in vain: what follows the name of the person who did it. */
export function deedOf({ method, route, path, status }: Operation): string {
  const summary = SUMMARIES[`${method} ${route}`]
  if (!summary) return `${method} ${path}`
  const isEnglish = language() === 'en'
  const deed = isEnglish ? told(summary) : t(summary)
  if (status >= 400) return t('tried to {deed}', { deed })
  return isEnglish ? deed.replace(/^\w+/, (verb) => PAST[verb] ?? pastOf(verb)) : deed
}

/** Summaries speak to who does it. */
function told(summary: string): string {
  return summary.replace(/^./, (first) => first.toLowerCase()).replaceAll(/\bmy\b/g, 'their')
}

function pastOf(verb: string): string {
  return verb.endsWith('e') ? `${verb}d` : `${verb}ed`
}

/** An id that the service can look up. It refuses all names if one of the ids is anything else. */
const ID = /^[1-9]\d{0,14}$/

/** What it was done to: the ids in its path, each with the part of the path that says of what. */
export function subjectsOf({ route, path }: Operation): { of: string; id: number }[] {
  const parts = path.split('/')
  return route.split('/').flatMap((part, at, route) => {
    if (!part.startsWith(':') || !ID.test(parts[at] ?? '')) return []
    return [{ of: part === ':userId' ? 'users' : route[at - 1]!, id: Number(parts[at]) }]
  })
}
