import { expect, test } from 'vitest'
import { expectOnlyExceptions } from '../support/exceptions.ts'
import { findColumnsWithoutKey } from '../support/mistakes/keys.ts'
import { readAllMigrations } from '../support/schema-text.ts'

test('every column that holds an id has a foreign key', () =>
  expectOnlyExceptions('a column without a foreign key', findColumnsWithoutKey(readAllMigrations())))

test('one that has none is named, however the table came by it', () => {
  const places = (text: string) => findColumnsWithoutKey(text).map(({ place }) => place)
  const made = 'create table hats (tenant_id bigint not null, id bigint, owner_id bigint not null'
  expect(places(`${made}, primary key (tenant_id, id));`)).toEqual(['hats.owner_id'])
  expect(places(`${made}, foreign key (tenant_id, owner_id) references users (tenant_id, id));`)).toEqual([])
  expect(places('alter table hats add column box_id bigint, add column size text;')).toEqual(['hats.box_id'])
  expect(places('alter table hats add column box_id bigint;\nalter table hats drop column box_id;')).toEqual([])
  expect(findColumnsWithoutKey('alter table hats add column box_id bigint')[0]!.says).toBe(
    'hats.box_id has no foreign key: add foreign key (tenant_id, box_id) references … (tenant_id, id)',
  )
})
