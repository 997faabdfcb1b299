import { describe, expect, test } from 'vitest'
import {
  assertMayBecome,
  INVITATION_MOVES,
  type InvitationStatus,
  isUsable,
  type Standing,
} from '../../src/domains/invitations/invitations.rules.ts'
import { authorityFrom, type RoleHeld } from '../../src/domains/roles/authority.rules.ts'

const user: RoleHeld = { id: 3, code: 'user', permissions: ['project:list'] }
const clerk: RoleHeld = { id: 4, code: 'clerk', permissions: ['user:invite', 'project:list'] }
const idle: RoleHeld = { id: 5, code: 'idle', permissions: [] }
const chief: RoleHeld = { id: 2, code: 'tenant-admin', permissions: ['user:invite', 'project:list', 'user:delete'] }
/** holds all permissions of an administrator without being one */
const shadow: RoleHeld = { id: 6, code: 'shadow', permissions: chief.permissions }

const INVITERS: Record<string, RoleHeld[]> = {
  chief: [chief],
  shadow: [shadow],
  clerk: [clerk],
  'former clerk': [user],
  nobody: [],
}
/** What is left of the roles of the invitation, and the inviters who may give that. */
const ROLES: Record<string, { left: RoleHeld[]; givenBy: string[] }> = {
  user: { left: [user], givenBy: ['chief', 'shadow', 'clerk'] },
  'a role without permissions': { left: [idle], givenBy: ['chief', 'shadow', 'clerk'] },
  'user and clerk': { left: [user, clerk], givenBy: ['chief', 'shadow', 'clerk'] },
  administrator: { left: [chief], givenBy: ['chief'] },
  'as much as an administrator': { left: [user, shadow], givenBy: ['chief', 'shadow'] },
  'none, because all were deleted': { left: [], givenBy: [] },
}
const STATES = ['active', 'disabled', 'deleted'] as const
const STATUSES = Object.keys(INVITATION_MOVES) as InvitationStatus[]

describe('an invitation works as long as the person who sent it could send it now', () => {
  for (const [name, held] of Object.entries(INVITERS))
    for (const state of STATES)
      for (const [wanted, { left, givenBy }] of Object.entries(ROLES))
        for (const status of STATUSES) {
          const works = status === 'pending' && state === 'active' && givenBy.includes(name)
          test(`${status}, from ${name} (${state}), for ${wanted}: ${works ? 'works' : 'does not'}`, () => {
            const standing: Standing = {
              status,
              inviter: { status: state, authority: authorityFrom(held) },
              roles: left,
            }
            expect(isUsable(standing)).toBe(works)
          })
        }
})

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
