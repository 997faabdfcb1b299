import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  arrayQuery,
  assertShallow,
  numberedPageRequest,
  pageQuery,
  pageRequestOf,
  toPage,
  totalOf,
} from '../../src/kernel/page.ts'
import { IdInPath } from '../../src/kernel/zod.ts'
import { refusalOf } from '../support/refusal.ts'

test('a filter that is blank is absent; a blank page is none', () => {
  const filters = { status: z.enum(['ACTIVE', 'ARCHIVED']).optional(), userId: IdInPath.optional() }
  for (const query of [arrayQuery(filters), pageQuery(filters)]) {
    const { status, userId } = query.parse({ status: '', userId: '' })
    expect([status, userId]).toEqual([undefined, undefined])
    expect(query.parse({ status: 'ACTIVE', userId: '7' })).toMatchObject({ status: 'ACTIVE', userId: 7 })
    for (const wrong of [{ status: ' ' }, { status: 'active' }, { userId: '0' }, { page: '' }, { pageSize: '' }])
      expect(query.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false)
  }
})

describe('the window of an array list', () => {
  const windowOf = (query: object) => pageRequestOf(arrayQuery({}).parse(query))

  test('is the first 500 when nothing is asked for, and is not counted then', () => {
    expect(windowOf({})).toEqual({ limit: 500, counted: false })
  })

  test('is counted when page or pageSize is sent', () => {
    expect(windowOf({ page: '3', pageSize: '20' })).toMatchObject({ limit: 20, page: 3, counted: true })
    expect(windowOf({ page: '2' })).toMatchObject({ limit: 500, page: 2, counted: true })
    expect(windowOf({ pageSize: '1000' })).toMatchObject({ limit: 1000, counted: true })
  })

  test('begins below an id where before is sent', () => {
    expect(windowOf({ before: '77', pageSize: '5' })).toEqual({ limit: 5, before: 77, counted: true })
  })

  // What no number is, test/unit/zod.test.ts shows.
  test.each([{ page: '0' }, { page: '1000000000' }, { pageSize: '0' }, { pageSize: '1001' }, { before: '0' }])(
    '%j is out of bounds',
    (query) => expect(arrayQuery({}).safeParse(query).success).toBe(false),
  )
})

describe('the window of a page', () => {
  test.each([{ page: '0' }, { pageSize: '0' }, { pageSize: '101' }])('%j is out of bounds', (query) => {
    expect(pageQuery({}).safeParse(query).success).toBe(false)
  })

  test('is reported with its page, its size and the true total, past the end too', () => {
    const request = numberedPageRequest({ page: 7, pageSize: 20 })
    const page = toPage({ rows: [], total: 3, next: undefined, request, cut: false })
    expect(page).toEqual({ items: [], page: 7, pageSize: 20, total: 3 })
  })
})

test('rows further down than 100 000 are not skipped to', () => {
  expect(() => assertShallow(pageRequestOf({ page: 101, pageSize: 1000 }))).not.toThrow()
  expect(refusalOf(() => assertShallow(pageRequestOf({ page: 102, pageSize: 1000 })))).toMatchObject({
    type: 'PAGE_TOO_DEEP',
    status: 400,
  })
})

test('a total is what was counted, and beyond its bound the bound, on every page the same', () => {
  for (const page of [1, 101]) {
    const request = pageRequestOf({ page, pageSize: 20 })
    expect(totalOf(request, 1000)).toEqual({ total: 1000 })
    expect(totalOf(request, 1001)).toEqual({ total: 1000, isMoreThanTotal: true })
  }
  expect(totalOf(numberedPageRequest({ page: 1, pageSize: 10 }), 5000)).toEqual({ total: 5000 })
})
