import { event, view, z } from '#atrium'

const Version = z.object({ version: z.number().int() })

export const approvalEvents = {
  'approval.reassigned': event(
    'An administrator passed the first step of a request to somebody else.',
    Version.extend({ from: view.maybeId, to: view.id }),
    { version: 2, from: 9, to: 12 },
  ),
  'approval.handed_over': event(
    'A request that waits went from one person to another, who decides it or is its applicant now.',
    Version.extend({ from: view.id, to: view.id }),
    { version: 2, from: 9, to: 12 },
  ),
} as const
