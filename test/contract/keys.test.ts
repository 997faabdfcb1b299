import { expect, test } from 'vitest'
import { expectOnlyExceptions } from '../support/exceptions.ts'
import { findColumnsWithoutKey, findKeysWithoutTenant } from '../support/mistakes/keys.ts'
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

test('every foreign key begins with the tenant', () =>
  expectOnlyExceptions('a foreign key without the tenant', findKeysWithoutTenant(readAllMigrations())))

test('one that does not is named, however the table came by it', () => {
  const boxes = 'create table boxes (tenant_id bigint not null, id bigint, primary key (tenant_id, id));\n'
  const says = (text: string) => findKeysWithoutTenant(boxes + text).map((breach) => breach.says)
  const cure =
    "hats.box_id refers to boxes without the tenant, so that another tenant's row would do: foreign key (tenant_id, box_id) references boxes (tenant_id, id)"
  expect(says('alter table hats add foreign key (box_id) references boxes (id);')).toEqual([cure])
  expect(says('create table hats (id bigint, box_id bigint not null references boxes (id));')).toEqual([cure])
  expect(says('create table hats (foreign key (tenant_id, box_id) references boxes (tenant_id, id));')).toEqual([])
  expect(says('create table hats (tenant_id bigint references tenants (id));')).toEqual([])
})
