import { beforeEach, expect, test } from 'vitest'
import { testConfig } from '#test/config.ts'
import { interleave } from '#test/interleave.ts'
import { givenConfirmationToken, givenResetToken } from '#test/links.ts'
import { openWorld, type Person } from '#test/world.ts'
import type { Tx } from '../../../../data/tx/scope.ts'
import { transact } from '../../../../data/tx/transact.ts'
import { type Visitor, visitor } from '../../../../kernel/actor.ts'
import { confirmAddress } from '../../addresses.actions.ts'
import { answerReset, confirmReset } from '../../resets.actions.ts'

/** Links that two people use at the same moment, met on purpose, as in interleavings.test.ts. */
const world = await openWorld()
const tenant = await world.givenTenant()
let ann: Person
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

test('an address that is confirmed while somebody changes its person stays confirmed', async () => {
  const token = await givenConfirmationToken(world, tenant.id, ann.id)
  const rename = () => world.as(tenant.administrator).put(`/users/${ann.id}`, { nickname: 'Annie' })
  const confirm = asVisitor((tx) => confirmAddress(tx, token, true))
  const { first, second } = await interleave(world, rename, confirm)

  first.expect(200)
  expect(second).toBe('done')
  const kept = 'select nickname, email, email_verified_at is not null as verified from users where id = $1'
  expect(await world.look.rows(kept, [ann.id])).toEqual([
    { nickname: 'Annie', email: 'new@example.com', verified: true },
  ])
})

test('a request for a new password is answered by one process, and another does not wait for it', async () => {
  // The sweep of the service would answer it before them.
  await world.app.close()
  await world.look.rows('update users set email = $1 where id = $2', ['ann@example.com', ann.id])
  await world.look.rows('insert into password_reset_requests (tenant_id, username) values ($1, $2)', [
    tenant.id,
    ann.username,
  ])
  const answer = () => world.inTenant(tenant, (tx) => answerReset(tx, testConfig()))
  const { first, second, waited } = await interleave(world, answer, answer)

  expect([first, second, waited]).toEqual([true, false, false])
  expect(await world.look.rows('select sent from password_resets where user_id = $1', [ann.id])).toEqual([
    { sent: '1' },
  ])
})
