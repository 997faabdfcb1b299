import { fault } from '#atrium'

export const exportFaults = {
  running: fault('EXPORT_RUNNING', 409, 'An export of this tenant is running'),
}

/** The name under which a browser saves an archive: the tenant, and the day in UTC. */
export function archiveName(code: string, takenAt: Date): string {
  return `${code}-${takenAt.toISOString().slice(0, 10)}.tar`
}
