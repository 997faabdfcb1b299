import type { Config } from '../config/config.ts'
import type { Tx } from '../data/tx/scope.ts'
import type { Database } from '../data/wire/database.ts'
import type { System, TenantId } from '../kernel/actor.ts'

/** An option of a command; `value` is what its help calls the value of a string. */
export interface Option {
  type: 'boolean' | 'string'
  about: string
  value?: string
}
type Options = Record<string, Option>
/** What was given of the options. */
export type Given<O extends Options> = { [Name in keyof O]?: O[Name]['type'] extends 'boolean' ? boolean : string }

export interface Command<O extends Options = any> {
  about: string
  /** further explanation for its help */
  detail?: string
  /** what follows the command; those in brackets may be left out, and are the last ones */
  operands?: readonly string[]
  options?: O
  /** Returns the exit code; by default 0. */
  run(options: Given<O>, ...operands: string[]): Promise<unknown>
}

/** Commands by their names, and groups of them. */
export type Commands = Record<string, Command | Group>

export interface Group {
  about: string
  commands: Commands
}

/** The line was not understood; the message shows what would be. */
export class Misunderstood extends Error {
  override name = 'Misunderstood'
}

/** Passes the types of the options on to the command's `run`. */
export function command<const O extends Options = Record<never, never>>(it: Command<O>): Command {
  return it
}

/** Something that cannot be done. The message says why, fit for a terminal. */
export class Refusal extends Error {
  override name = 'Refusal'
}

/** What the command line gives to the commands of a domain. */
export interface CommandLine {
  /** @throws InvalidConfiguration */
  config(): Config
  /** Writes what was asked for to stdout. */
  say(text: string): void
  sayJson(value: unknown): void
  /** Writes everything else to stderr. */
  remark(text: string): void
  /** Runs `use` with an open database that has all migrations of this version. @throws Refusal if it lacks some */
  withDatabase<T>(use: (database: Database, url: string) => Promise<T>): Promise<T>
  /** Runs an action as the system in a tenant; the audit records the command, who typed it and where. */
  actAs<T>(database: Database, tenantId: TenantId, command: string, action: (tx: Tx<System>) => Promise<T>): Promise<T>
  /** @throws Refusal if there is no tenant of this code */
  tenantOf(database: Database, code: string): Promise<{ id: TenantId; code: string }>
}
