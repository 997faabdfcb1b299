import type { Language } from '#atrium'
import type { listDatedTasks } from './calendar.store.ts'

type DatedTask = Awaited<ReturnType<typeof listDatedTasks>>[number]

const NAMES: Record<Language, string> = { en: 'My tasks', 'zh-CN': '我的任务' }
/** What programs take for the end of a line. As line feeds they are escaped. */
const LINE_ENDS = /\r\n|[\r\v\f\u0085\u2028\u2029]/g
/** What a text must not contain beside them. RFC 5545, section 3.3.11 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 5545 forbids these characters in a text, and this finds them
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f]/g
const HOUR_S = 3600

/**
 * Writes tasks as a calendar of whole days. They are events, because the common calendars show no VTODO of a calendar
 * that they subscribe to. @see RFC 5545, RFC 7986
 */
export async function icalendarOf(tenantId: number, tasks: readonly DatedTask[], language: Language): Promise<string> {
  // Loaded when the first calendar is read, so that a start does not wait for it.
  const { default: ical, ICalEventStatus, ICalEventTransparency } = await import('ical-generator')
  const calendar = ical({ name: NAMES[language], prodId: '//Atrium//Tasks//EN', ttl: HOUR_S })
  for (const { id, title, description, dueDate, version, status, createdAt, updatedAt } of tasks)
    calendar.createEvent({
      id: uidOf(tenantId, id, createdAt),
      sequence: version,
      start: new Date(`${dueDate}T00:00:00Z`),
      allDay: true,
      summary: `${status === 'DONE' ? '✓ ' : ''}${textOf(title)}`,
      ...(description && { description: textOf(description) }),
      status: status === 'CANCELLED' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      // Nobody is busy all day because something is due.
      transparency: ICalEventTransparency.TRANSPARENT,
      stamp: new Date(updatedAt),
      created: new Date(createdAt),
      lastModified: new Date(updatedAt),
    })
  return `${calendar.toString()}\r\n`
}

/** Other installations have tasks with the same numbers, but made in the same millisecond only by copying this one. */
function uidOf(tenantId: number, id: number, createdAt: string): string {
  return `task-${tenantId}-${id}-${Date.parse(createdAt).toString(36)}@atrium`
}

const textOf = (text: string) => text.replace(LINE_ENDS, '\n').replace(CONTROLS, '')
