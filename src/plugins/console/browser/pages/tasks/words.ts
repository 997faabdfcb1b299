import type { TaskStatus } from '../../lib/api.ts'
import { t } from '../../lib/language.ts'

export const statusWords = (): Record<TaskStatus, string> => ({
  TODO: t('to do'),
  IN_PROGRESS: t('under way'),
  BLOCKED: t('blocked'),
  DONE: t('done'),
  CANCELLED: t('cancelled'),
})
