import { describe, expect, test } from 'vitest'
import { assertMayBecome, INVITATION_MOVES, type InvitationStatus } from '../../invitations.rules.ts'

const STATUSES = Object.keys(INVITATION_MOVES) as InvitationStatus[]

describe('an invitation', () => {
  /** In each status: what it can become. */
  const MOVES: Record<InvitationStatus, InvitationStatus[]> = {
    pending: ['pending', 'accepted', 'withdrawn', 'expired'],
    expired: ['pending', 'withdrawn'],
    accepted: [],
    withdrawn: [],
  }
  for (const from of STATUSES)
    for (const to of STATUSES)
      test(`that is ${from} ${MOVES[from].includes(to) ? 'can' : 'cannot'} become ${to}`, () => {
        const move = () => assertMayBecome(from, to)
        if (MOVES[from].includes(to)) expect(move).not.toThrow()
        else expect(move).toThrow(expect.objectContaining({ type: 'ILLEGAL_TRANSITION', status: 409 }))
      })
})
