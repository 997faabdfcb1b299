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
      offset: 0,
      before: undefined,
      after: undefined,
      byPage: false,
      counted: false,
    })
  })

  test('goes on by numbers where one was sent, and an id says more than a number', () => {
    const byPage = (query: object) => pageRequestOf(arrayQuery({}).parse(query)).byPage
    expect([byPage({ page: '1' }), byPage({ pageSize: '5' }), byPage({ page: '3', after: '7' })]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('is counted when page or pageSize is sent', () => {
    expect(pageRequestOf(arrayQuery({}).parse({ page: '3', pageSize: '20' }))).toMatchObject({
      limit: 20,
      offset: 40,
      counted: true,
    })
    expect(pageRequestOf(arrayQuery({}).parse({ page: '2' }))).toMatchObject({ limit: 500, offset: 500, counted: true })
    expect(pageRequestOf(arrayQuery({}).parse({ pageSize: '1000' }))).toMatchObject({ limit: 1000, counted: true })
  })

  test('begins below an id where before is sent', () => {
    expect(pageRequestOf(arrayQuery({}).parse({ before: '77', pageSize: '5' }))).toMatchObject({
      limit: 5,
      offset: 0,
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
      offset: 0,
      before: undefined,
      after: undefined,
      byPage: true,
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

  test('is told back with its page, its size and the true total, past the end too', () => {
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

test('a total is what was counted, and beyond its bound what is certain', () => {
  const request = pageRequestOf({ page: 1, pageSize: 20 })
  const rows = 20
  expect(totalOf(request, { counted: 1000, rows, more: true })).toEqual({ total: 1000 })
  expect(totalOf(request, { counted: 1001, rows, more: true })).toEqual({ total: 1000, isMoreThanTotal: true })
  const deep = pageRequestOf({ page: 101, pageSize: 20 })
  expect(totalOf(deep, { counted: 1001, rows, more: true })).toEqual({ total: 2021, isMoreThanTotal: true })
  expect(totalOf(deep, { counted: 1001, rows: 7, more: false })).toEqual({ total: 2007, isMoreThanTotal: true })
  expect(totalOf(numberedPageRequest({ page: 1, pageSize: 10 }), { counted: 5000, rows: 10, more: true })).toEqual({
    total: 5000,
  })
})
