import { t } from './language.ts'

/** The programs that most people use, by what is in their name of themselves. */
const BROWSERS = { 'Edg/': 'Edge', 'OPR/': 'Opera', 'Firefox/': 'Firefox', 'Chrome/': 'Chrome', 'Safari/': 'Safari' }
const SYSTEMS = {
  ...{ Android: 'Android', iPhone: 'iPhone', iPad: 'iPad' },
  ...{ Windows: 'Windows', 'Mac OS': 'macOS', Linux: 'Linux' },
}

/** A program and its system in two words; a name that is not known stands for itself. */
export function deviceOf(userAgent: string | null): string {
  if (!userAgent) return t('Unknown device')
  const find = (names: Record<string, string>) => Object.entries(names).find(([part]) => userAgent.includes(part))?.[1]
  const words = [find(BROWSERS), find(SYSTEMS)].filter(Boolean).join(', ')
  return words || userAgent
}
