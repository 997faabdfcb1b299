import { expect, test } from 'vitest'
import { type Call, entrance, type Server } from '#atrium'
import { entered } from '../../topology/entered.ts'

/** What a worker of a cluster is sent for its own tenant 7, and for tenant 1, which is on another node. */
const enter = (tenantId: number): Call => ({ prepared: entrance(), values: ['service', `${tenantId}`] })
const call = (text: string): Call => ({ prepared: { name: text, text }, values: [] })

function givenWorker(held: number[]) {
  const sent: string[] = []
  const send = async (calls: readonly Call[]) => {
    sent.push(...calls.map(({ prepared }) => prepared.text))
    return calls.map(() => ({ rows: [], affected: 0 }))
  }
  const server = { send, search: send, acquire: async () => ({ connection: { send }, release() {} }) }
  const worker = entered(server as unknown as Server, {
    coordinator: {} as Server,
    enterHome: call('enter home'),
    holds: (tenantId) => held.includes(tenantId),
    look: async () => {},
  })
  return { sent, worker }
}
const carried = (tenantId: number) => `set local app.tenant_id = '${tenantId}'`

const ways: [string, (worker: Server, calls: Call[], tenantId?: number) => Promise<unknown>][] = [
  ['a flight', (worker, calls, tenantId) => worker.send(calls, tenantId)],
  ['a search', (worker, calls, tenantId) => worker.search(calls, {} as never, tenantId)],
  ['a transaction', async (worker, calls, tenantId) => (await worker.acquire(tenantId)).connection.send(calls)],
]

test.each(ways)('%s takes a tenant of another node along, also if it enters that one first', async (_, send) => {
  const { sent, worker } = givenWorker([7])

  await send(worker, [enter(1), call('key of 1'), enter(7), call('row of 7')], 7)

  expect(sent).toEqual([entrance().text, carried(1), 'key of 1', entrance().text, 'row of 7'])
})

test.each(ways)('%s for a tenant that has moved is not sent on, so that the node refuses it', async (_, send) => {
  const { sent, worker } = givenWorker([])

  await send(worker, [enter(7), call('row of 7')], 7)
  await send(worker, [enter(7), call('row of 7')])

  expect(sent.filter((text) => text.startsWith('set local'))).toEqual([])
})
