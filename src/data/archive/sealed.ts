import type pg from 'pg'
import type { TenantId } from '../../kernel/actor.ts'
import { literal, quoted } from '../sql/quoted.ts'

/** A column whose texts are encrypted. */
export interface SealedColumn {
  table: string
  column: string
  /** what the sealer knows as the place of a text, with columns of its row in braces: `webhooks {tenant_id}/{id}` */
  place: string
}

export interface SealedText {
  id: number
  place: string
  sealed: string
}

/** All of them, as the schema says, also those of plug-ins that are off. */
export async function listSealedColumns(client: pg.ClientBase): Promise<SealedColumn[]> {
  const { rows } = await client.query<SealedColumn>(
    `select f.name as "table", s.key as "column", s.value as place
       from table_facts f cross join lateral jsonb_each_text(f.facts -> 'sealed') s
      where to_regclass(quote_ident(f.name)) is not null order by 1, 2`,
  )
  return rows
}

/** Locks some of the tenant's texts, by ascending id. The client is in a transaction in that tenant. */
export async function lockSealed(
  client: pg.ClientBase,
  { table, column, place }: SealedColumn,
  { tenantId, after, most }: { tenantId: TenantId; after: number; most: number },
): Promise<SealedText[]> {
  const parts = place.split(/\{(\w+)\}/).map((part, at) => (at % 2 ? quoted(part) : literal(part)))
  const { rows } = await client.query<SealedText>(
    `select id::float8 as id, ${quoted(column)} as sealed, concat(${parts.join(', ')}) as place from ${quoted(table)}
      where tenant_id = $1 and id > $2 and ${quoted(column)} is not null order by id limit $3 for update`,
    [tenantId, after, most],
  )
  return rows
}

export async function saveSealed(
  client: pg.ClientBase,
  { table, column }: SealedColumn,
  tenantId: TenantId,
  { id, sealed }: Pick<SealedText, 'id' | 'sealed'>,
): Promise<void> {
  await client.query(`update ${quoted(table)} set ${quoted(column)} = $1 where tenant_id = $2 and id = $3`, [
    sealed,
    tenantId,
    id,
  ])
}
