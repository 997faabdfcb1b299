import { createHash, randomBytes } from 'node:crypto'
import { notFound } from '#atrium'

export const calendarFaults = {
  notFound: notFound('Calendar'),
}

/** A key names its tenant, so that it can be looked up there. The rest is 256 random bits. */
const KEY = /^([1-9]\d{0,15})-[A-Za-z0-9_-]{43}$/

export function newCalendarKey(tenantId: number): string {
  return `${tenantId}-${randomBytes(32).toString('base64url')}`
}

/** Undefined if it cannot be a key. */
export function tenantOfKey(key: string): number | undefined {
  const [, tenantId] = KEY.exec(key) ?? []
  return tenantId === undefined ? undefined : Number(tenantId)
}

/** What is stored of a key. A plain hash is enough for 256 random bits. */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

/** Finished tasks stay in a calendar for so many days after they were due. */
export const KEPT_DAYS = 60

/** The day from which on finished tasks are shown. */
export function keptSince(now: Date): string {
  return new Date(now.getTime() - KEPT_DAYS * 86_400_000).toISOString().slice(0, 10)
}
