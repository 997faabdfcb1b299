import { expect, test } from 'vitest'
import { type Call, entrance, type FlightError } from '#atrium'
import { sendInParts } from '../../topology/parts.ts'

/** How a flight is sent to the node of its tenant, while ids are drawn at home. */
const enter: Call = { prepared: entrance(), values: ['service', '7'] }
const call = (name: string, traits = {}): Call => ({ prepared: { name, text: name, ...traits }, values: [] })
const draw = call('draw', { draws: true })

function givenServers() {
  const sent = { home: [] as string[], node: [] as string[] }
  const server = (place: 'home' | 'node') => async (calls: readonly Call[]) => {
    sent[place].push(...calls.map(({ prepared }) => prepared.text))
    return calls.map(({ prepared }) => {
      if (prepared.name === 'fails')
        throw Object.assign(new Error('failed'), { statement: calls.findIndex((c) => c.prepared === prepared) })
      return { rows: [{ from: `${place} ${prepared.name}`, id: 5, now: `${place}’s clock` }], affected: 1 }
    })
  }
  const enterHome: Call = { prepared: { name: 'enter', text: 'enter home' }, values: [] }
  return { sent, parts: { home: server('home'), node: server('node'), enterHome, holds: () => true, isComplete: true } }
}

test('ids are drawn at home, the rest goes to the node, and each answer stands where its statement was', async () => {
  const { sent, parts } = givenServers()

  const results = await sendInParts([enter, draw, call('read')], parts)

  expect(sent.home).toEqual(['enter home', 'draw'])
  expect(sent.node).toEqual([entrance().text, 'read'])
  expect(results.map(({ rows }) => rows[0]!.from)).toEqual(['node enter', 'home draw', 'node read'])
})

test('an id that is drawn last brings the clock of the node, where the other times of the tenant come from', async () => {
  const { parts } = givenServers()

  const results = await sendInParts([enter, call('lock'), draw], parts)

  expect(results.at(-1)!.rows).toEqual([{ from: 'home draw', id: 5, now: 'node’s clock' }])
})

test('a failure names the statement by its place in the whole flight', async () => {
  const { parts } = givenServers()

  const failure = await sendInParts([enter, draw, call('fails')], parts).catch((error: FlightError) => error)

  expect((failure as FlightError).statement).toBe(2)
})

test('the coordinator takes the turn before the first statement that changes what all nodes have', async () => {
  const { sent, parts } = givenServers()

  const shared = call('shared', { changesShared: true })
  const results = await sendInParts([enter, call('read'), shared, shared], { ...parts, takesTurn: true })

  expect(sent.node.slice(1)).toEqual(['read', expect.stringContaining('pg_advisory_xact_lock'), 'shared', 'shared'])
  expect(results).toHaveLength(4)
})

test('a tenant of another node is named in the form that is taken along to it', async () => {
  const { sent, parts } = givenServers()

  await sendInParts([enter, call('read')], { ...parts, holds: (tenant) => tenant !== 7 })

  expect(sent.node).toEqual([entrance().text, `set local app.tenant_id = '7'`, 'read'])
})
