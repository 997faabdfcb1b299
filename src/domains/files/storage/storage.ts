import type { Readable } from 'node:stream'
import type { FastifyReply, TenantId } from '#atrium'
import type { ByteRange } from '../byte-range.rules.ts'
import type { Spool } from './spool.ts'

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

/** The storage of the bytes. Any failure of it is Unavailable: 503. */
export interface Storage {
  readonly spool: Spool
  /** Stores a spooled file durably: once this resolves, a power cut does not lose it. */
  put(tenantId: TenantId, filename: string, file: SpooledFile): Promise<void>
  /**
   * Answers with the bytes, or with those of a range. The caller sets headers about the file. Returns false without an
   * answer if there are none. A range behind the end of what is stored throws an error with statusCode 416 and a
   * Content-Range header.
   */
  deliver(reply: FastifyReply, file: Delivery, range?: ByteRange): Promise<boolean>
  /** Removes the bytes, if any. */
  remove(tenantId: TenantId, filename: string): Promise<void>
  /** The bytes and their number, for a backup; undefined if there are none. */
  read(tenantId: TenantId, filename: string): Promise<{ size: number; body: Readable } | undefined>
  /** Moves unknown bytes to the quarantine of a day, such as `2026-11-22`. False if they are gone. */
  quarantine(day: string, tenantId: TenantId, filename: string): Promise<boolean>
  /** Moves bytes back. False if none are in quarantine. */
  release(tenantId: TenantId, filename: string): Promise<boolean>
  /** The days with bytes in quarantine. */
  quarantinedDays(): Promise<string[]>
  /** Deletes a day's quarantine. @returns how many files */
  emptyQuarantine(day: string): Promise<number>
  /** Removes everything of a tenant, also what is in quarantine or was uploaded in part. @returns how many files */
  removeAll(tenantId: TenantId): Promise<number>
  /** The names of the tenant's stored files. */
  list(tenantId: TenantId): Promise<string[]>
  /** ms since the bytes were stored, by the clock of the storage; undefined if there are none. */
  ageOf(tenantId: TenantId, filename: string): Promise<number | undefined>
  close(): void
}
