import type { Config } from '../src/config/config.ts'
import type { Tx } from '../src/data/tx/scope.ts'
import type { Found } from './found.ts'
import type { Does, Step } from './steps.ts'

/** The result of a step: the id and the version that later steps need. */
export interface Subject {
  id: number
  version?: number
}

/** What a step can look up: people, and what its company has made, by kind and name. */
export interface Known {
  person(username: string): number
  the(name: string): Required<Subject>
  office: Office
}

/** What steps need besides the story. */
export interface Office {
  config: Config
  passwordHash: string
  /** Shows what nobody can read again. */
  show(what: string, secret: string): void
}

export interface Way<D extends Does, Made = object> {
  /** Through the action, as the person of the story. A file's bytes are stored before its transaction, by `upload`. */
  act(tx: Tx, step: Step<D>, known: Known): unknown
  /** What it makes or changes, by the kind of thing and its name in the company. */
  about?(step: Step<D>): string
  /** What it has left, which shows that it was done. Work on projects is found by the request ids of its activities. */
  left?(step: Step<D>, found: Found & Made): Subject | boolean | undefined
}
