import type { Config } from '../config/config.ts'
import type { Migrated, MigrateOptions } from '../data/setup/migrate.ts'
import type { Tx } from '../data/tx/scope.ts'
import type { Database } from '../data/wire/database.ts'
import type { System, TenantId } from '../kernel/actor.ts'
import type { TenantFound } from './ports/serving.ts'

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

/** Progress, for someone who waits at a terminal. */
export type Progress = (what: string, count: number, bytes: number) => void

/** What the command line gives to the commands of a domain. */
export interface CommandLine {
  /** @throws InvalidConfiguration */
  config(): Config
  /** Writes what was asked for to stdout. */
  say(text: string): void
  sayJson(value: unknown): void
  /** Writes everything else to stderr. */
  remark(text: string): void
  /** Runs `use` with the URL of the database. @throws Refusal if there is none yet */
  withUrl<T>(use: (url: string) => Promise<T>): Promise<T>
  /** Brings the database to the migrations of this version, in the role that migrates. */
  migrate(url: string, options: Pick<MigrateOptions, 'distribute'>): Promise<Migrated>
  /** Runs `use` with an open database that has all migrations of this version. @throws Refusal if it lacks some */
  withDatabase<T>(use: (database: Database, url: string) => Promise<T>): Promise<T>
  /** Runs an action as the system in a tenant; its audit row records the command, who typed it and where. */
  actAs<T>(database: Database, tenantId: TenantId, command: string, action: (tx: Tx<System>) => Promise<T>): Promise<T>
  /** Shows on stderr how far something is. */
  openProgress(): { tell: Progress; end(): void }
  /**
   * Writes a file that is either complete or absent; `-` is stdout.
   * @param stop ends what it is read from, if the command is broken off: a statement may take long
   * @throws Refusal if the name is taken
   */
  save(file: string, body: AsyncIterable<Buffer>, stop: () => unknown): Promise<void>
  /**
   * Runs work that leaves something behind unless it takes it back: it gets a signal if the command is broken off, and has
   * cleaned up then.
   * @param outcome what is so then, as a sentence
   * @throws Refusal if it was broken off
   */
  unlessStopped<T>(outcome: string, work: (stopping: AbortSignal) => Promise<T>): Promise<T>
  /** @throws Refusal if there is no tenant of this code, or if the service has never started on this database */
  tenantOf(database: Database, code: string): Promise<TenantFound>
  /** Why nobody enters a tenant now, as a sentence without its end; undefined if it is open. */
  whyClosed(tenant: Pick<TenantFound, 'status' | 'expiredAt'>): string | undefined
  /** @throws Refusal if the service has never started on this database */
  assertBegun(database: Database): Promise<void>
  /**
   * A new password from a file, a terminal or stdin; `whose` is what the prompt says.
   * @throws Refusal if none is given, or two that differ
   */
  readPassword(file: string | undefined, whose: string): Promise<string>
}

/**
 * The option of every command that takes a new password. It is never an argument, because everyone on the machine can see
 * those.
 */
export const passwordOptions = {
  'password-file': { type: 'string', value: 'FILE', about: 'read the password from the first line of a file' },
} as const

/** Two columns, indented. */
export function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join('\n')
}
