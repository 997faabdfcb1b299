import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, boss } = await openWorldWithTenant()
const me = world.as(boss)
const KINDS = [
  ['/projects', 'PROJECT_CODE_TAKEN', (code: string) => ({ name: 'P', code })],
  ['/departments', 'DEPARTMENT_CODE_TAKEN', (code: string) => ({ name: 'D', code, sort: 1 })],
  ['/content/categories', 'CATEGORY_TAKEN', (name: string) => ({ name })],
] as const

test.each(KINDS)('%s takes no code that looks like another one', async (path, taken, draftOf) => {
  const post = (client: Client, draft: object) => client.post(path, draft, { 'idempotency-key': randomUUID() })
  ;(await post(me, draftOf('Tech'))).expect(201)
  for (const alike of ['Tech', 'tech', 'Tеch', 'ТЕСН', 'ｔｅｃｈ']) (await post(me, draftOf(alike))).expect(409, taken)
  ;(await post(me, draftOf('Tech2'))).expect(201)
  const other = await world.givenTenant()
  ;(await post(world.as(other.administrator), draftOf('tech'))).expect(201)
})

test('a department changes the case of its own code, and takes no code of another', async () => {
  const form = (code: string) => ({ name: 'D', code, sort: 1, parentId: null, leaderId: null, status: 'active' })
  const { id } = await me.create('/departments', form('Sales'))
  ;(await me.put(`/departments/${id}`, form('SALES'))).expect(200)
  ;(await me.put(`/departments/${id}`, form('TЕCH'))).expect(409, 'DEPARTMENT_CODE_TAKEN')
  ;(await me.put(`/departments/${id}`, form('Sales3'))).expect(200)
  await me.create('/departments', form('sales'))
})

test('a category has a name and a slug that look like no other; a slug that is made gets a number', async () => {
  const { id } = await me.create('/content/categories', { name: 'Reports', slug: 'c1' })
  ;(await me.post('/content/categories', { name: 'Letters', slug: 'cl' })).expect(409, 'CATEGORY_TAKEN')
  expect((await me.create('/content/categories', { name: 'Letters', slug: 'C l' })).slug).toBe('c-l')
  expect((await me.create('/content/categories', { name: 'Cards', slug: 'CL' })).slug).toBe('cl-2')
  ;(await me.put(`/content/categories/${id}`, { name: 'lETTERS' })).expect(409, 'CATEGORY_TAKEN')
  expect((await me.put(`/content/categories/${id}`, { name: 'REPORTS' })).expect(200).name).toBe('REPORTS')
})
