import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testConfig } from '../../../../../test/support/config.ts'
import { interleave } from '../../../../../test/support/interleave.ts'
import { givenConfirmationToken, givenResetToken } from '../../../../../test/support/links.ts'
import { openWorld, type Person, type Tenant, type World } from '../../../../../test/support/world.ts'
import type { Tx } from '../../../../data/tx/scope.ts'
import { transact } from '../../../../data/tx/transact.ts'
import { type System, system, type Visitor, visitor } from '../../../../kernel/actor.ts'
import { confirmAddress } from '../../addresses.actions.ts'
import { answerReset, confirmReset } from '../../resets.actions.ts'

/** Links that two people use at the same moment, met on purpose, as in interleavings.test.ts. */
let world: World
let tenant: Tenant
let ann: Person
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.givenTenant()
})
afterAll(() => world?.close())
beforeEach(async () => {
  ann = await world.givenUser(tenant)
})

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => error.type ?? String(error),
  )
const asVisitor = (action: (tx: Tx<Visitor>) => Promise<unknown>) => () =>
  outcomeOf(transact(world.database, { tenantId: tenant.id, actor: visitor, requestId: 'link' }, action))
const asSystem = (action: (tx: Tx<System>) => Promise<unknown>) => () =>
  transact(world.database, { tenantId: tenant.id, actor: system, requestId: 'link' }, action)

test('a link for a new password is used once', async () => {
  const token = await givenResetToken(world, tenant.id, ann.id)
  const confirm = (hash: string) => asVisitor((tx) => confirmReset(tx, token, hash))
  const { first, second } = await interleave(world, confirm('one'), confirm('two'))

  expect([first, second]).toEqual(['done', 'RESET_NOT_FOUND'])
  expect(await world.look.rows('select password_hash from users where id = $1', [ann.id])).toEqual([
    { password_hash: 'one' },
  ])
})

test('a link that confirms an address is used once', async () => {
  const token = await givenConfirmationToken(world, tenant.id, ann.id)
  const confirm = asVisitor((tx) => confirmAddress(tx, token, true))
  const { first, second } = await interleave(world, confirm, confirm)

  expect([first, second]).toEqual(['done', 'EMAIL_TOKEN_NOT_FOUND'])
})

test('a request for a new password is answered by one process, and another does not wait for it', async () => {
  await world.look.rows('update users set email = $1 where id = $2', ['ann@example.com', ann.id])
  await world.look.rows('insert into password_reset_requests (tenant_id, username) values ($1, $2)', [
    tenant.id,
    ann.username,
  ])
  const answer = asSystem((tx) => answerReset(tx, testConfig()))
  const { first, second, waited } = await interleave(world, answer, answer)

  expect([first, second, waited]).toEqual([true, false, false])
  expect(await world.look.rows('select sent from password_resets where user_id = $1', [ann.id])).toEqual([
    { sent: '1' },
  ])
})
