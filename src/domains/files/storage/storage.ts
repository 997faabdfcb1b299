import type { Readable } from 'node:stream'
import type { FastifyReply, TenantId } from '#atrium'
import type { Spool } from './spool.ts'

/** A complete file in the spool. */
export interface SpooledFile {
  path: string
  size: number
  /** hexadecimal */
  sha256: string
  contentType: string
}

export interface Delivery {
  tenantId: TenantId
  filename: string
  size: number
}

/** Where the bytes are. Whatever keeps it from working is Unavailable: 503. */
export interface Storage {
  readonly spool: Spool
  /** ms between two comparisons with the table */
  readonly sweepEvery: number
  /** Keeps a spooled file for good: when this resolves, a power cut does not lose it. */
  put(tenantId: TenantId, filename: string, file: SpooledFile): Promise<void>
  /**
   * Answers with the bytes; `part`: with those that the Range header asks for. Headers about the file are the caller's.
   * Yields false, and answers nothing, when there are none. A range that is not there becomes
   * an error with statusCode 416 and a Content-Range among its headers.
   */
  deliver(reply: FastifyReply, file: Delivery, part: boolean): Promise<boolean>
  /** Removes the bytes; none is no mistake. */
  remove(tenantId: TenantId, filename: string): Promise<void>
  /** The bytes and how many they are, for a backup; undefined when there are none. */
  read(tenantId: TenantId, filename: string): Promise<{ size: number; body: Readable } | undefined>
  /** Puts bytes aside that nobody knows of, for the day `2026-11-22`. False when they are not there any more. */
  quarantine(day: string, tenantId: TenantId, filename: string): Promise<boolean>
  /** Puts bytes back in their place. False when none are in quarantine. */
  release(tenantId: TenantId, filename: string): Promise<boolean>
  /** The days of which bytes are in quarantine. */
  quarantinedDays(): Promise<string[]>
  /** Removes for good what was put aside on a day. @returns how many files */
  emptyQuarantine(day: string): Promise<number>
  /** The names of all that is stored for the tenant. */
  list(tenantId: TenantId): Promise<string[]>
  /** ms since the bytes were stored, by the clock of the storage; undefined when there are none. */
  ageOf(tenantId: TenantId, filename: string): Promise<number | undefined>
  close(): void
}
