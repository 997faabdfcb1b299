import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { atrium } from '#test/cli.ts'
import { atriumHere } from '#test/cli-here.ts'
import { TEST_SECRET } from '#test/config.ts'
import { until } from '#test/patience.ts'
import { openReceiver } from '#test/receiver.ts'
import { givenSecrets, SEALED, sealAgain } from '#test/sealed.ts'
import { openWorld } from '#test/world.ts'
import { openLog } from '../../src/log.ts'
import { placeOf } from '../../src/plugins/mail/mail.actions.ts'
import { sealWith } from '../../src/util/seal.ts'

/** The key of stored secrets is being replaced: every process has both, and only the newer one is to stay. */
const NEWER = 'a-newer-key-of-the-tests-which-seals-everything'
const [both, older, newer] = [sealWith([NEWER, TEST_SECRET]), sealWith([TEST_SECRET]), sealWith([NEWER])]
/** The command seals 200 in a transaction. */
const MAILS = 500
const BOTH = `${NEWER},${TEST_SECRET}`
let uses: Record<string, () => Promise<string>>
const receiver = await openReceiver()
const log: string[] = []
const logger = openLog('warn', { write: (line) => void log.push(line) })
const world = await openWorld({ env: { JWT_SECRET: TEST_SECRET, ENCRYPTION_KEY: BOTH }, logger })
const tenant = await world.givenTenant()
beforeAll(async () => {
  uses = await givenSecrets({ world, tenant, sealer: both, receiver })
  const before = await sealAgain({ world, tenant, sealer: both }, older)
  expect(before, 'a secret in every sealed column').toEqual(SEALED.toSorted())
})

const envOf = (keys: string) => ({
  env: { DATABASE_URL: world.databaseUrl, JWT_SECRET: TEST_SECRET, ENCRYPTION_KEY: keys },
})
/** What a machine says that is too slow for one of the uses. */
const TOO_SLOW = /^503 UNAVAILABLE|^error=PROVIDER_UNAVAILABLE|^No response within/
const countOld = () =>
  world.look.count(`select count(*) from mails where sealed like 's1.' || $1 || '%'`, [older.keyNames[0]])
const finding = async () =>
  (await world.as(world.admin).read('/system/findings')).find(({ name }: any) => name === 'secrets')

async function givenDeadMails() {
  const keys = Array.from({ length: MAILS }, (_, at) => `resealed-${at}`)
  await world.look.rows(
    `insert into mails (tenant_id, key, kind, recipient, locale, status, attempts, ended_at, sealed)
     select $1, key, 'MAIL_TEST', 'ada@example.org', 'en', 'dead', 1, now(), sealed
       from unnest($2::text[], $3::text[]) as given (key, sealed)`,
    [tenant.id, keys, keys.map((key) => older.seal('{"facts":{}}', placeOf(tenant.id, key)))],
  )
}

test('all secrets get the newest key while they are used, and after the command was killed and repeated', async () => {
  await givenDeadMails()
  expect(await finding()).toMatchObject({ state: 'warning', cure: 'npx atrium secrets reseal' })
  let isOver = false
  const answers = (async () => {
    const seen = new Set<string>()
    const { 'mails.sealed': _, ...usable } = uses
    while (!isOver)
      for (const answer of await Promise.allSettled(Object.values(usable).map((use) => use())))
        if (answer.status === 'fulfilled') seen.add(answer.value)
    return [...seen].filter((answer) => !TOO_SLOW.test(answer)).toSorted()
  })()

  try {
    // It cannot end before it is killed: another transaction holds the last mail.
    const holder = new pg.Client(world.databaseUrl)
    await holder.connect()
    await holder.query(`begin`)
    await holder.query(`select from mails where tenant_id = ${tenant.id} order by id desc limit 1 for update`)
    const before = await countOld()
    const killed = new AbortController()
    const first = atrium('secrets reseal', { ...envOf(BOTH), kill: killed.signal })
    await until(async () => (await countOld()) < before)
    killed.abort()
    expect((await first).code).toBe(null)
    expect(await countOld()).toBeGreaterThan(0)
    await holder.end()
    expect(await atriumHere('secrets reseal', envOf(BOTH))).toMatchObject({ code: 0, err: '' })
  } finally {
    isOver = true
  }

  expect(await answers).toEqual(['401 INVALID_CREDENTIALS', 'code', 'delivered'])
  expect(log.filter((line) => line.includes('No configured key'))).toEqual([])
  expect(await countOld()).toBe(0)
  expect(await finding()).toMatchObject({ state: 'ok' })
  expect(await atriumHere('secrets reseal', envOf(NEWER))).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^0 secrets were encrypted/),
  })
  expect(new Set(await sealAgain({ world, tenant, sealer: newer }, newer))).toEqual(new Set(SEALED))
  expect(await uses['mails.sealed']!()).toBe('sent')
})
