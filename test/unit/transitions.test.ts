import { expect, test } from 'vitest'
import { isTerminal, mayMove, type Transitions } from '../../src/kernel/transitions.ts'

const door: Transitions<'OPEN' | 'SHUT' | 'WALLED'> = { OPEN: ['SHUT'], SHUT: ['OPEN', 'WALLED'], WALLED: [] }

test('a state moves where its table says; staying is not a move', () => {
  expect(mayMove(door, 'OPEN', 'SHUT')).toBe(true)
  expect(mayMove(door, 'OPEN', 'WALLED')).toBe(false)
  expect(mayMove(door, 'OPEN', 'OPEN')).toBe(false)
})

test('a state that nothing leaves is terminal', () => {
  expect(isTerminal(door, 'WALLED')).toBe(true)
  expect(isTerminal(door, 'SHUT')).toBe(false)
})
