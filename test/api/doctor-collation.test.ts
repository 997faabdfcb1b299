import { afterAll, expect, test } from 'vitest'
import { checkCase } from '../../appliance/doctor/database.ts'
import { inspect } from '../../src/data/setup/inspect.ts'
import { createDatabase, openInspector } from '../support/database.ts'

/** Searches compare texts as the database folds their case, and one with the locale C does so from A to Z alone. */
const NAMES = ['c', 'latin'].map((name) => `collation_${name}_${process.pid}`)
const url = await createDatabase()
const look = await openInspector(url)
afterAll(async () => {
  for (const name of NAMES) await look.rows(`drop database if exists ${name} with (force)`)
})

const findingOf = async (database: string) => checkCase(await inspect(database, []))

test('the doctor is content with a database that folds case in every script', async () => {
  expect(await findingOf(url)).toMatchObject({ check: 'collation', verdict: 'ok' })
})

test.each([
  ['the locale C', NAMES[0]!, `encoding 'UTF8'`],
  ['another encoding', NAMES[1]!, `encoding 'LATIN1'`],
])('it warns of a database with %s', async (_, name, encoding) => {
  await look.rows(
    `create database ${name} template template0 ${encoding} locale_provider libc lc_collate 'C' lc_ctype 'C'`,
  )
  const at = new URL(url)
  at.pathname = `/${name}`
  expect(await findingOf(at.href)).toMatchObject({
    check: 'collation',
    verdict: 'warn',
    remedy: expect.stringContaining('createdb'),
  })
})
