import { afterAll, expect, test } from 'vitest'
import { interleave } from '#test/interleave.ts'
import { expectNoCircle } from '#test/races.ts'
import { openWorld } from '#test/world.ts'
import { extendChain } from '../../extend.ts'

const world = await openWorld()
const tenant = await world.givenTenant()
// Its job would link rows before them.
await world.app.close()
afterAll(() => expectNoCircle(world))

test.each(['begin', 'extend'])('a chain of the audit that two processes %s has one link for each row', async (what) => {
  const givenRow = () =>
    world.look.rows(
      `insert into audit_operations (tenant_id, request_id, method, path, route, status, duration, ip, user_agent)
       values ($1, 'r', 'PUT', '/', '/', 200, 1, '', '')`,
      [tenant.id],
    )
  const extend = () => extendChain(world.database, tenant.id)
  await givenRow()
  if (what === 'extend') await extend()
  await givenRow()
  const { waited } = await interleave(world, extend, extend)

  expect(waited).toBe(true)
  const [links, rows] = ['audit_links', 'audit_operations'].map((table) =>
    world.look.count(`select count(*) from ${table} where tenant_id = $1`, [tenant.id]),
  )
  expect(await links).toBe(await rows)
})
