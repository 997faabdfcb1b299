import type { Scope } from '../../src/data/tx/scope.ts'
import type { PageRequest } from '../../src/kernel/page.ts'
import type { Family } from './rows.ts'

/** A list as someone reads it, in the tenant that `growthOf` fills. */
export interface GrowingList {
  title: string
  /** the tables that it grows with */
  family: Family
  read(scope: Scope, request: PageRequest): Promise<unknown>
  /** A list with numbered pages, not ids, has no deep end. */
  isPage?: true
  /** is searched row by row, up to a bound */
  isSearch?: true
}

export const PAGE = 20

type Read = GrowingList['read']
export const list = (family: Family, title: string, read: Read): GrowingList => ({ title, family, read })
export const page = (family: Family, title: string, read: Read): GrowingList => ({ title, family, read, isPage: true })
export const search = (family: Family, title: string, read: Read): GrowingList => ({
  title,
  family,
  read,
  isSearch: true,
})
