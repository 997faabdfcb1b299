import { type EventEmitter, once } from 'node:events'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openConnection } from '../../src/data/wire/connection.ts'
import { ConnectionLost } from '../../src/data/wire/unavailable.ts'
import { cloneDatabase } from '../support/database.ts'

const url = await cloneDatabase()
const holder = new pg.Client(url)
await holder.connect()
await holder.query(`create table things as select id, 'thing ' || id as name from generate_series(1, 3) id`)
const connection = (await givenConnection()).connection
afterAll(async () => {
  connection.destroy(new Error('the test is over'))
  await holder.end()
})

const thing = { name: 'thing', text: 'select id, name from things where id = $1 for update' }
const find = async (id: number) => (await connection.send([{ prepared: thing, values: [id] }]))[0]!.rows

test('a flight that fails takes nothing away from later ones that use the same statement', async () => {
  expect(await find(1)).toEqual([{ id: 1, name: 'thing 1' }])
  await holder.query('begin; select from things where id = 1 for update')

  const [blocked, ...others] = await Promise.allSettled([find(1), find(2), find(3)])
  await holder.query('rollback')

  expect(blocked).toMatchObject({ status: 'rejected', reason: { code: '55P03' } })
  expect(others).toEqual([2, 3].map((id) => ({ status: 'fulfilled', value: [{ id, name: `thing ${id}` }] })))
  expect(await find(1)).toEqual([{ id: 1, name: 'thing 1' }])

  // Nor from one that was sent before it was parsed again.
  await holder.query('begin; select from things where id = 1 for update')
  const again = find(1)
  const behind = find(2)
  await expect(again).rejects.toMatchObject({ code: '55P03' })
  const anew = find(3)
  await holder.query('rollback')
  expect([await behind, await anew]).toEqual([2, 3].map((id) => [{ id, name: `thing ${id}` }]))
})

test('a table that gets another shape is read in its new one, by all that are under way', async () => {
  expect(await find(1)).toEqual([{ id: 1, name: 'thing 1' }])
  await holder.query(`alter table things alter column id type text using 'no ' || id`)
  const anyId = { name: 'any', text: 'select * from things order by name limit 1' }
  const findAny = async () => (await connection.send([{ prepared: anyId, values: [] }]))[0]!.rows
  expect(await findAny()).toEqual([{ id: 'no 1', name: 'thing 1' }])
  await holder.query('alter table things add column weight int default 7')

  expect(await Promise.all([findAny(), findAny(), findAny()])).toEqual(
    Array.from({ length: 3 }, () => [{ id: 'no 1', name: 'thing 1', weight: 7 }]),
  )
})

/** One whose answers a test may change: every message of the server is an event of the inner connection of pg. */
async function givenConnection() {
  const client = new pg.Client({ connectionString: url, lock_timeout: 100 })
  client.on('error', () => {})
  await client.connect()
  const messages = (client as unknown as { connection: EventEmitter }).connection
  return { client, messages, connection: openConnection(client, { shared: true }) }
}
const one = { name: 'one', text: 'select 1 as one' }

test('an answer that no statement asked for ends the connection, and not the process', async () => {
  const { messages, connection } = await givenConnection()
  await connection.send([{ prepared: one, values: [] }])

  messages.emit('dataRow', { fields: ['2'] })

  await expect(connection.send([{ prepared: one, values: [] }])).rejects.toMatchObject({
    cause: { message: 'an answer came that no statement asked for' },
  })
})

test('so does an answer of which a part is missing', async () => {
  const { messages, connection } = await givenConnection()
  const emit = messages.emit
  let lost = false
  messages.emit = (event, ...values) => {
    if (event !== 'commandComplete' || lost) return emit.call(messages, event, ...values)
    lost = true
    return true
  }

  const flight = connection.send([one, one].map((prepared) => ({ prepared, values: [] })))

  await expect(flight).rejects.toBeInstanceOf(ConnectionLost)
})

test('so does an answer that cannot be read', async () => {
  const { messages, connection } = await givenConnection()
  const json = { name: 'json', text: `select '{}'::json as json` }
  const [broken] = await Promise.allSettled([
    connection.send([{ prepared: json, values: [] }]),
    new Promise<void>((resolve) => {
      messages.prependOnceListener('dataRow', (message: { fields: string[] }) => {
        message.fields[0] = '{"half":'
        resolve()
      })
    }),
  ])
  expect(broken).toMatchObject({
    status: 'rejected',
    reason: { name: 'LostInFlight', cause: { message: 'an answer of the database cannot be read' } },
  })
})

test('so does a commit that fails after the answers of all its statements', async () => {
  await holder.query(
    'create table pairs (id int primary key, other int references pairs deferrable initially deferred)',
  )
  const { client, connection } = await givenConnection()
  const ended = once(client, 'end')
  const lonely = { name: 'lonely', text: 'insert into pairs values (1, 2)' }

  await expect(connection.send([{ prepared: lonely, values: [] }])).rejects.toBeInstanceOf(ConnectionLost)

  await ended
})
