import type { Readable } from 'node:stream'
import type { FileSettings } from '../../config/file-settings.ts'
import type { TenantId } from '../../kernel/actor.ts'
import { port } from '../port.ts'

/** A file that is being written, beside those that are stored. */
export interface Spooled {
  readonly path: string
  write(chunk: Uint8Array): Promise<unknown>
  /** Flushes it to the disk. */
  finish(): Promise<unknown>
  /** Removes what was not stored. */
  discard(): Promise<void>
}

/** The bytes of files, as far as archives touch them. */
export interface FileBytes {
  readonly spool: { open(tenantId: TenantId): Promise<Spooled> }
  /** Stores a spooled file durably. @param file its SHA-256 in hexadecimal digits */
  put(
    tenantId: TenantId,
    filename: string,
    file: { path: string; size: number; sha256: string; contentType: string },
  ): Promise<void>
  /** The bytes and their number; undefined if there are none. */
  read(tenantId: TenantId, filename: string): Promise<{ size: number; body: Readable } | undefined>
  /** ms since the bytes were stored; undefined if there are none. */
  ageOf(tenantId: TenantId, filename: string): Promise<number | undefined>
  /** Removes everything of a tenant. @returns how many files */
  removeAll(tenantId: TenantId): Promise<number>
  close(): void
}

export interface FileStore {
  open(settings: FileSettings): Promise<FileBytes>
  /** @throws Refusal if nothing that is on keeps files as the settings say */
  prove(settings: FileSettings): void
  /** Whether the service can have generated the name of a stored file. No other name becomes part of a path. */
  isStoredName(filename: string): boolean
}

/** Where the bytes of files are kept, for what moves a whole tenant or installation. */
export const fileStore = port<FileStore>('where files are kept')
