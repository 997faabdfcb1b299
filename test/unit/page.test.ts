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
  test('is the first 500 when nothing is asked for, and is not counted then', () => {
    expect(pageRequestOf(arrayQuery({}).parse({}))).toEqual({
      limit: 500,
      page: undefined,
      before: undefined,
      after: undefined,
      counted: false,
    })
  })

  test('goes on by numbers where one was sent, and an id says more than a number', () => {
    const pageOf = (query: object) => pageRequestOf(arrayQuery({}).parse(query)).page
    expect([pageOf({ page: '1' }), pageOf({ pageSize: '5' }), pageOf({ page: '3', after: '7' })]).toEqual([
      1,
      undefined,
      undefined,
    ])
  })

  test('is counted when page or pageSize is sent', () => {
    expect(pageRequestOf(arrayQuery({}).parse({ page: '3', pageSize: '20' }))).toMatchObject({
      limit: 20,
      page: 3,
      counted: true,
    })
    expect(pageRequestOf(arrayQuery({}).parse({ page: '2' }))).toMatchObject({ limit: 500, page: 2, counted: true })
    expect(pageRequestOf(arrayQuery({}).parse({ pageSize: '1000' }))).toMatchObject({ limit: 1000, counted: true })
  })

  test('begins below an id where before is sent', () => {
    expect(pageRequestOf(arrayQuery({}).parse({ before: '77', pageSize: '5' }))).toMatchObject({
      limit: 5,
      page: undefined,
      before: 77,
    })
  })

  test.each([
    { page: '0' },
    { page: '-1' },
    { page: '1000000000' },
    { page: '1e3' },
    { page: '0x10' },
    { pageSize: '0' },
    { pageSize: '1001' },
    { pageSize: '-1' },
    { before: '0' },
    { before: 'x' },
    { before: '9007199254740992' },
    { page: ['1', '2'] },
  ])('%j is out of bounds', (query) => {
    expect(arrayQuery({}).safeParse(query).success).toBe(false)
  })
})

describe('the window of a page', () => {
  test('is the first ten when nothing is asked for, and is always counted', () => {
    expect(numberedPageRequest(pageQuery({}).parse({}))).toEqual({
      limit: 10,
      page: 1,
      before: undefined,
      after: undefined,
      counted: true,
      countTo: 10_000,
    })
  })

  test.each([{ page: '0' }, { pageSize: '0' }, { pageSize: '101' }, { pageSize: '1.5' }])(
    '%j is out of bounds',
    (query) => {
      expect(pageQuery({}).safeParse(query).success).toBe(false)
    },
  )

  test('is reported with its page, its size and the true total, past the end too', () => {
    const request = numberedPageRequest({ page: 7, pageSize: 20 })
    expect(toPage({ rows: [], total: 3, next: undefined, request, cut: false })).toEqual({
      items: [],
      page: 7,
      pageSize: 20,
      total: 3,
    })
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
