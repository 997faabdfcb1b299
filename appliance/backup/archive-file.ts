import { Refusal } from '../../src/atrium/command-line.ts'

export function damaged(path: string, what: string): Refusal {
  return new Refusal(`${path} cannot be restored: ${what}. Nothing was changed.`)
}
