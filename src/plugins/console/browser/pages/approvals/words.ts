import type { Approval, ApprovalStatus, ApprovalStep } from '../../lib/api.ts'
import { t } from '../../lib/language.ts'

export const statusWords = (): Record<ApprovalStatus, string> => ({
  DRAFT: t('draft'),
  PENDING: t('in progress'),
  APPROVED: t('approved'),
  REJECTED: t('rejected'),
  CANCELLED: t('taken back'),
})

export const stepWords = (): Record<ApprovalStep['status'], string> => ({
  WAITING: t('not yet'),
  PENDING: t('in progress'),
  APPROVED: t('approved'),
  REJECTED: t('rejected'),
  CANCELLED: t('taken back'),
})

/** The person or the people for whom a request waits. */
export function waitsFor({ waitingFor, substituteName }: Approval): string {
  if (!waitingFor) return ''
  const name = waitingFor.approverName ?? t('any administrator')
  return substituteName ? t('{name}, or {substitute} for them', { name, substitute: substituteName }) : name
}
