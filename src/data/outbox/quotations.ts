import { write } from '../sql/verbs.ts'
import type { Tx } from '../tx/scope.ts'

/** What a notification quotes, and what it quotes instead: null for nothing. */
interface Quotation {
  resourceType: string
  resourceId: number
  /** when what is quoted was written, and so announced */
  createdAt: string
  quoted: string
  instead: string | null
}

const changeIn = (table: 'notifications' | 'outbox') =>
  write(({ update }, { instead, ...p }: Quotation) =>
    update(table as 'notifications')
      .set({ content: instead })
      .where(`${table as 'notifications'}.resourceType`, '=', p.resourceType)
      .where(`${table as 'notifications'}.resourceId`, '=', p.resourceId)
      .where(`${table as 'notifications'}.createdAt`, '=', p.createdAt)
      .where(`${table as 'notifications'}.content`, '=', p.quoted),
  )
const changeInOutbox = changeIn('outbox')
const changeInInboxes = changeIn('notifications')

/** Changes what notifications quote, when that is changed or removed. The outbox is first, because what waits there moves. */
export function changeQuotation(tx: Tx<any>, quotation: Quotation): void {
  changeInOutbox(tx, quotation)
  changeInInboxes(tx, quotation)
}
