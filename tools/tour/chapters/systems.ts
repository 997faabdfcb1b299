import type { Atrium } from '../../../client/index.ts'
import { bearing, lines, type Tour } from '../cast.ts'
import { expect } from '../guide.ts'
import { openReceiver } from '../receiver.ts'

/** Other systems: keys, events, webhooks, a directory, an identity provider. */
export async function tellSystems(tour: Tour, neighbour: Atrium, tenant: string): Promise<void> {
  const { chapter, tell, refused, attempt, arrives, visitor, visit, run, baseUrl } = tour

  chapter('A key for another system')
  const roles = await neighbour.listRoles()
  const role = roles.items.find(({ code }) => code === 'tenant-admin')!
  const directory = { name: `directory.${run}`, roleIds: [role.id] }
  const service = await tell(
    'A service account cannot sign in.',
    () => neighbour.createServiceAccount({ body: directory }),
    201,
    {
      name: directory.name,
    },
  )
  const draft = { name: 'Reader', permissions: ['user:list'] }
  const makeKey = () => neighbour.createKey({ id: service.id, body: draft })
  const { id: keyId, key } = await tell(
    'Its key is shown once. This one is narrowed to what it is for.',
    makeKey,
    201,
    ({ prefix }) => `${prefix}…`,
  )
  const machine = visitor()
  await tell(
    'It works as a token does.',
    () => machine.listUsers({}, bearing(key)),
    200,
    ({ total }) => `people: ${total}`,
  )
  await refused('What it is not for, it cannot do.', () => machine.listRoles({}, bearing(key)), [
    403,
    'PERMISSION_DENIED',
  ])
  await tell(
    'The key is revoked,',
    () => neighbour.revokeKey({ id: service.id, keyId }),
    200,
    () => 'done',
  )
  await refused('… and opens nothing any more.', () => machine.listUsers({}, bearing(key)), [401, 'UNAUTHENTICATED'])

  chapter('A directory')
  const own = () => neighbour.createKey({ id: service.id, body: { name: 'Directory' } })
  const { key: scimKey } = await tell(
    'The directory of the company gets a key too.',
    own,
    201,
    ({ prefix }) => `${prefix}…`,
  )
  const scim =
    (path: string, method = 'GET', body?: object) =>
    () =>
      visit(`/scim/v2/${path}`, {
        method,
        headers: { authorization: `Bearer ${scimKey}`, ...(body && { 'content-type': 'application/scim+json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
  const jo = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: `jo.${run}`,
    displayName: 'Jo',
    active: true,
  }
  const made = await tell('It makes a person, over SCIM,', scim('Users', 'POST', jo), 201, () => jo.userName)
  const { id: personId } = (await made.json()) as { id: string }
  const find = scim(`Users?filter=${encodeURIComponent(`userName eq "${jo.userName}"`)}`)
  await tell('… finds them by their name,', find, 200, async (answer) => {
    const { totalResults } = (await answer.json()) as { totalResults: number }
    expect(totalResults === 1, 'one person')
    return 'one person'
  })
  const leave = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'Replace', path: 'active', value: false }],
  }
  await tell('… and disables them when they leave.', scim(`Users/${personId}`, 'PATCH', leave), 200, async (answer) => {
    const { active } = (await answer.json()) as { active: boolean }
    expect(!active, 'a person who cannot sign in')
    return 'active false'
  })

  chapter('Events')
  const oldest = () => neighbour.listEvents({ after: 0, limit: 5 })
  const events = await tell('What has happened in the tenant, the oldest first:', oldest, 200, (events) => {
    expect(events.length === 5, 'five events')
    return lines(events, ({ id, type, actor }) => `${String(id).padEnd(6)}${type.padEnd(26)}by ${actor.name}`)
  })
  const more = () => neighbour.listEvents({ after: events.at(-1)!.id, types: 'user.created' })
  await tell('A reader goes on after the last id that it has seen.', more, 200, (rest) => {
    expect(
      rest.every(({ id, type }) => id > events.at(-1)!.id && type === 'user.created'),
      'later events of the type',
    )
    return lines(rest, ({ id, type, actor }) => `${String(id).padEnd(6)}${type.padEnd(26)}by ${actor.name}`)
  })

  chapter('A webhook')
  const receiver = await openReceiver()
  try {
    const hook = { url: receiver.url, types: ['project.created'] }
    const listening =
      'Events are also sent. This receiver is on the same machine, which only WEBHOOK_PRIVATE_ADDRESSES allows.'
    const connect = () => neighbour.createWebhook({ body: hook })
    const webhook = await attempt(listening, connect, [201, { status: 'active' }], [400, 'ADDRESS_REFUSED'])
    if (webhook) {
      receiver.trust(webhook.secret)
      const bench = () => neighbour.createProject({ body: { name: 'Another bench', code: `BENCH-${run}` } })
      const { id } = await tell('Something happens,', bench, 201, {})
      await arrives('… and arrives with a signature that fits.', async () => {
        const event = await receiver.next()
        expect(event.subject.id === id, 'the event of the project')
        return `${event.type}, webhook-id ${event.id}, signature verified`
      })
      const deliveries = () => neighbour.listWebhookDeliveries({ id: webhook.id })
      await tell('The delivery can be looked up.', deliveries, 200, ([delivery]) => {
        expect(delivery?.status === 'delivered', 'a delivery that was taken')
        return `${delivery.type} ${delivery.status}, ${delivery.responseStatus} after ${delivery.durationMs} ms`
      })
      await tell(
        'It is deleted again.',
        () => neighbour.deleteWebhook({ id: webhook.id }),
        200,
        () => 'done',
      )
    }
  } finally {
    receiver.close()
  }

  chapter('An identity provider')
  const ways = () => visitor().getSignInMethods({ tenantCode: tenant })
  await tell('How do people of the tenant sign in?', ways, 200, { password: true, identityProvider: false })
  const returnTo = `${baseUrl}/console/`
  const start = () =>
    visit(`/api/v1/auth/oidc/start?${new URLSearchParams({ tenantCode: tenant, returnTo })}`, { redirect: 'manual' })
  await tell('Without a provider, a page that asks for one is told so.', start, 302, ({ headers }) => {
    const address = headers.get('location')!
    expect(address.endsWith('#error=PROVIDER_NOT_CONFIGURED'), 'the reason in the fragment')
    return new URL(address).hash
  })
  const nowhere = { issuer: 'https://login.invalid', clientId: 'atrium', clientSecret: 'secret', createUsers: false }
  const name = () => neighbour.saveIdentityProvider({ body: nowhere })
  await refused('A provider is asked when it is saved.', name, [400, 'PROVIDER_UNREACHABLE'])
  const exchange = () => visitor().exchangeSignInCode({ body: { code: 'made up' } })
  await refused('A code that nobody gave out opens no session.', exchange, [401, 'INVALID_SIGN_IN_CODE'])
}
