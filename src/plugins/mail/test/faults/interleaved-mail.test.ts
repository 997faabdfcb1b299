import { expect, test } from 'vitest'
import { interleave, meet, passesOver, waitsForSecret } from '#test/interleave.ts'
import { openWorld } from '#test/world.ts'
import { retryMail } from '../../mail.actions.ts'
import { markSent, takeMails } from '../../mail.store.ts'
import { takeDigests } from '../../news.store.ts'

/** What two processes do with mail at the same moment, met on purpose, as in test/faults/interleavings.test.ts. */
const world = await openWorld()

test('a mail that was given up is revived once', async () => {
  const tenant = await world.givenTenant()
  const id = await world.givenDeadMail(tenant)
  const retry = () => world.as(tenant.administrator).post(`/mails/${id}/retry`)
  const { second } = await meet(world, [retry, 200], [retry, 200])

  expect(second).toMatchObject({ status: 'waiting' })
})

test('a mail that is being sent again when somebody revives it is not sent once more', async () => {
  const tenant = await world.givenTenant()
  const id = await world.givenDeadMail(tenant)
  const sendAgain = () =>
    world.inTenant(tenant, async (tx) => {
      await retryMail(tx, id)
      markSent(tx, { id })
    })
  const retry = () => world.as(tenant.administrator).post(`/mails/${id}/retry`)
  const { second, waited } = await interleave(world, sendAgain, retry)

  expect(waited).toBe(true)
  second.expect(409, 'MAIL_NOT_DEAD')
})

test('a worker passes over a mail that another has, and over a daily mail', async () => {
  const mail = `insert into mails (tenant_id, key, kind, recipient, locale, sealed) values (1, 'k', 'MAIL_TEST', 'a@example.com', 'en', 'x')`
  const take = { most: 10 }
  expect(await passesOver(world, { table: 'mails', statements: [mail] }, (tx) => takeMails(tx, take))).toBe(true)
  const daily = `insert into mail_digests (tenant_id, user_id, news_from, news_to, due_at) values (1, 1, 1, 1, now())`
  const digest = { table: 'mail_digests', statements: [daily] }
  expect(await passesOver(world, digest, (tx) => takeDigests(tx, take))).toBe(true)
})

test('a change of the sealing key waits for a change of the secret', async () => {
  const insert = `insert into mails (tenant_id, key, kind, recipient, locale, sealed, due_at) values ($1, 'k', 'MAIL_TEST', 'a@example.com', 'en', 'x', now() + interval '1 day')`
  expect(await waitsForSecret(world, 'mails.sealed', insert)).toBe(true)
})
