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

/** @param more what the request says beside its limit, such as the order */
type Declare = <Filter>(
  family: Family,
  title: string,
  statement: (scope: Scope, filter: Filter, request: PageRequest) => Promise<unknown>,
  filter: NoInfer<Filter>,
  more?: Partial<PageRequest>,
) => GrowingList

const declare =
  (kind: Pick<GrowingList, 'isPage' | 'isSearch'>): Declare =>
  (family, title, statement, filter, more) => ({
    ...{ family, title, ...kind },
    read: (scope, request) => statement(scope, filter, { ...request, ...more }),
  })

export const list = declare({})
export const page = declare({ isPage: true })
export const search = declare({ isSearch: true })
