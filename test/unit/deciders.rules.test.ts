import '../support/domains.ts'
import { describe, expect, test } from 'vitest'
import { type Approval, reassign } from '../../src/domains/approvals/approvals.rules.ts'
import {
  decidedFor,
  decidersOfOpen,
  isCurrentApprover,
  peopleAmong,
  substituteFor,
  waitingFor,
} from '../../src/domains/approvals/deciders.rules.ts'
import { every } from '../support/every.ts'
import { refusalOf } from '../support/refusal.ts'

const APPLICANT = 1
const LEADER = 2
const SUBSTITUTE = 3
const ADMINISTRATOR = 4
const BYSTANDER = 5
const people = [APPLICANT, LEADER, SUBSTITUTE, ADMINISTRATOR, BYSTANDER]

interface Facts {
  currentStep: 0 | 1 | 2
  leaderActs: boolean
  /** none, another person, or the applicant */
  standIn: null | typeof SUBSTITUTE | typeof APPLICANT
  begun: boolean
  applicantId: number
}

/** Every combination of the facts that say who decides. */
const combinations: Facts[] = every({
  ...{ currentStep: [0, 1, 2], leaderActs: [true, false], standIn: [null, SUBSTITUTE, APPLICANT] },
  ...{ begun: [true, false], applicantId: [APPLICANT, LEADER, SUBSTITUTE] },
})

const step = (stepOrder: 1 | 2, currentStep: number) => ({
  id: stepOrder,
  stepOrder,
  approverType: stepOrder === 1 ? 'DEPARTMENT_MANAGER' : 'ADMIN',
  approverId: stepOrder === 1 ? LEADER : null,
  approverName: stepOrder === 1 ? 'Leader' : null,
  status: stepOrder < currentStep ? 'APPROVED' : stepOrder === currentStep ? 'PENDING' : 'WAITING',
})
const approvalOf = ({ currentStep, leaderActs, standIn, begun, applicantId }: Facts) =>
  ({
    applicantId,
    currentStep,
    status: currentStep === 0 ? 'DRAFT' : 'PENDING',
    steps: currentStep === 0 ? [] : [step(1, currentStep), step(2, currentStep)],
    leaderActs,
    standIn: standIn && { id: standIn, name: 'Substitute', begun },
  }) as unknown as Approval

/** The table: who may decide. The applicant's own substitution for the leader counts for nothing. */
function expectedDeciders({ currentStep, leaderActs, standIn, applicantId }: Facts): number[] {
  if (currentStep === 0) return []
  if (currentStep === 2 || !leaderActs) return [ADMINISTRATOR]
  return standIn && standIn !== applicantId ? [LEADER, standIn] : [LEADER]
}

describe('who decides', () => {
  const standsIn = { leaderActs: true, standIn: SUBSTITUTE, begun: true, applicantId: APPLICANT } as const

  test('is said by a table, for every combination of step, leader, substitute and applicant', () => {
    expect(combinations).toHaveLength(108)
    for (const facts of combinations) {
      const approval = approvalOf(facts)
      const may = people.filter((id) => isCurrentApprover(approval, { id, isAdministrator: id === ADMINISTRATOR }))
      expect({ facts, may }).toEqual({ facts, may: expectedDeciders(facts).toSorted() })
    }
  })

  test('is the person who is notified, and a substitute only once their first day has begun', () => {
    for (const facts of combinations) {
      const notified = peopleAmong(decidersOfOpen(approvalOf(facts)), [ADMINISTRATOR])
      const expected = expectedDeciders(facts).filter((id) => id === LEADER || id === ADMINISTRATOR || facts.begun)
      expect({ facts, notified }).toEqual({ facts, notified: expected })
    }
  })

  test('an administrator who stands in decides the first step for the leader, and the second as an administrator', () => {
    const [first, second] = [approvalOf({ ...standsIn, currentStep: 1 }), approvalOf({ ...standsIn, currentStep: 2 })]
    const administrator = { id: SUBSTITUTE, isAdministrator: true }
    expect([isCurrentApprover(first, administrator), isCurrentApprover(second, administrator)]).toEqual([true, true])
    expect([decidedFor(first, SUBSTITUTE), decidedFor(second, SUBSTITUTE)]).toEqual([
      { id: LEADER, name: 'Leader' },
      null,
    ])
  })

  test('only a substitute decides for somebody else', () => {
    for (const facts of combinations)
      for (const id of people) {
        const standsIn = id !== LEADER && id !== ADMINISTRATOR && expectedDeciders(facts).includes(id)
        const who = decidedFor(approvalOf(facts), id)?.id ?? null
        expect({ facts, id, who }).toEqual({ facts, id, who: standsIn ? LEADER : null })
      }
  })

  test('a request waits for its approver also while somebody stands in', () => {
    const facts = { ...standsIn, currentStep: 1 } as const
    expect(waitingFor(approvalOf(facts))).toEqual({
      ...{ approverType: 'DEPARTMENT_MANAGER', approverId: LEADER, approverName: 'Leader' },
    })
    expect(substituteFor(approvalOf(facts))).toMatchObject({ id: SUBSTITUTE })
    expect(substituteFor(approvalOf({ ...facts, leaderActs: false }))).toBeNull()
  })
})

describe('passing a step to somebody else', () => {
  const facts: Facts = { currentStep: 1, leaderActs: true, standIn: null, begun: false, applicantId: APPLICANT }
  const able = { id: BYSTANDER, status: 'active', mayDecide: true } as const

  test('is for the first step while it waits', () => {
    expect(reassign(approvalOf(facts), able)).toEqual({
      stand: { status: 'PENDING', currentStep: 1 },
      approverId: BYSTANDER,
    })
    for (const currentStep of [0, 2] as const)
      expect(refusalOf(() => reassign(approvalOf({ ...facts, currentStep }), able)).type).toBe('ILLEGAL_TRANSITION')
    const decided = { ...approvalOf(facts), status: 'APPROVED', currentStep: 2 } as Approval
    expect(refusalOf(() => reassign(decided, able)).type).toBe('ILLEGAL_TRANSITION')
  })

  test.each([
    ['nobody', undefined, 'NOT_FOUND'],
    ['a disabled person', { ...able, status: 'disabled' as const }, 'NOT_FOUND'],
    ['the applicant', { ...able, id: APPLICANT }, 'APPROVER_CANNOT_DECIDE'],
    ['a person without the permission', { ...able, mayDecide: false }, 'APPROVER_CANNOT_DECIDE'],
  ])('goes to no such person: %s', (_, to, type) => {
    expect(refusalOf(() => reassign(approvalOf(facts), to)).type).toBe(type)
  })
})
