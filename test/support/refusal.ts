import { Fault } from '../../src/kernel/fault.ts'

/** The fault that an action answers with; an action that goes through, or fails in another way, is a failed test. */
export function refusalOf(action: () => unknown): Fault {
  try {
    action()
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('the action was not refused')
}
