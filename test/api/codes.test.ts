import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, boss } = await openWorldWithTenant()
const me = world.as(boss)
const KINDS = [
  ['/projects', 'PROJECT_CODE_TAKEN', (code: string) => ({ name: 'P', code })],
  ['/departments', 'DEPARTMENT_CODE_TAKEN', (code: string) => ({ name: 'D', code, sort: 1 })],
  ['/content/categories', 'CATEGORY_TAKEN', (name: string) => ({ name })],
] as const

describe.each(KINDS)('%s', (path, taken, draftOf) => {
  const post = (client: Client, draft: object) => client.post(path, draft, { 'idempotency-key': randomUUID() })

  test('takes no code that looks like another one', async () => {
    ;(await post(me, draftOf('Tech'))).expect(201)
    for (const alike of ['Tech', 'tech', 'TECH', 'Tеch', 'ТЕСН', 'ｔｅｃｈ'])
      (await post(me, draftOf(alike))).expect(409, taken)
    ;(await post(me, draftOf('Tech2'))).expect(201)
    const other = await world.givenTenant()
    ;(await post(world.as(other.administrator), draftOf('tech'))).expect(201)
  })
})

describe('a department', () => {
  const form = (code: string) => ({ name: 'D', code, sort: 1, parentId: null, leaderId: null, status: 'active' })

  test('changes the case of its own code, and takes no code of another', async () => {
    const { id } = (await me.post('/departments', form('Sales'))).expect(201)
    ;(await me.put(`/departments/${id}`, form('SALES'))).expect(200)
    ;(await me.put(`/departments/${id}`, form('TЕCH'))).expect(409, 'DEPARTMENT_CODE_TAKEN')
    ;(await me.put(`/departments/${id}`, form('Sales3'))).expect(200)
    ;(await me.post('/departments', form('sales'))).expect(201)
  })
})

describe('a category', () => {
  test('has a slug that looks like no other; one that is made gets a number', async () => {
    ;(await me.post('/content/categories', { name: 'Reports', slug: 'c1' })).expect(201)
    ;(await me.post('/content/categories', { name: 'Letters', slug: 'cl' })).expect(409, 'CATEGORY_TAKEN')
    expect((await me.post('/content/categories', { name: 'Letters', slug: 'C l' })).expect(201).slug).toBe('c-l')
    expect((await me.post('/content/categories', { name: 'Cards', slug: 'CL' })).expect(201).slug).toBe('cl-2')
  })

  test('is renamed to no look-alike, and keeps the case that it is given', async () => {
    const { id } = (await me.post('/content/categories', { name: 'Press' })).expect(201)
    ;(await me.put(`/content/categories/${id}`, { name: 'rEPORTS' })).expect(409, 'CATEGORY_TAKEN')
    expect((await me.put(`/content/categories/${id}`, { name: 'PRESS' })).expect(200).name).toBe('PRESS')
  })
})
