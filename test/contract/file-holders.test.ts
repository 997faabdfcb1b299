import { expect, test } from 'vitest'
import { fileHolders } from '../../src/domains/files/files.actions.ts'
import { schemaTypes } from '../support/domains.ts'
import { type Breach, expectOnlyExceptions } from '../support/exceptions.ts'
import { expectNone } from '../support/expect-none.ts'

/**
 * A file that something shows or holds is not deleted. Each domain provides the columns that name files; a column that
 * nobody provides is found by its name.
 */
const columns = columnsIn(schemaTypes)
const held = new Set<string>(fileHolders.all().flatMap((holder) => holder.columns))
const LIKE_A_FILE =
  /(file|filename|cover|avatar|picture|image|icon|logo|photo|banner|thumbnail|attachment)(name|key|url)?s?$/i

test('every column that names a file keeps the file from being deleted', () =>
  expectOnlyExceptions('a name of a file that keeps no file', findUnheld(columns)))

test('a column that is provided exists', () => {
  const unknown = [...held].filter((column) => !columns.includes(column))
  expectNone(unknown.map((column) => `fileHolders names ${column}, which is no column: correct its domain`))
})

test('one that nobody provides is named', () => {
  const added = columnsIn(
    'export interface HatBoxesTable {\n  tenantId: number\n  lidImage: Optional<string | null>\n}',
  )
  expect(findUnheld(added)).toEqual([
    {
      place: 'hatBoxes.lidImage',
      says: 'hatBoxes.lidImage reads like the name of a file, which could be deleted while it is shown: provide fileHolders with it',
    },
  ])
})

function findUnheld(among: readonly string[]): Breach[] {
  return among
    .filter((column) => LIKE_A_FILE.test(column.split('.')[1]!) && !held.has(column))
    .map((place) => ({
      place,
      says: `${place} reads like the name of a file, which could be deleted while it is shown: provide fileHolders with it`,
    }))
}

/** `articles.cover`, as stores call them. */
function columnsIn(schema: string): string[] {
  return [...schema.matchAll(/^export interface (\w)(\w*)Table \{\n([^}]*)/gm)].flatMap(([, first, rest, body]) =>
    [...body!.matchAll(/^ {2}(\w+):/gm)].map(([, column]) => `${first!.toLowerCase()}${rest}.${column}`),
  )
}
