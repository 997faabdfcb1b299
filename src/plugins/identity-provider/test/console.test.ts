import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser as openHttpBrowser } from '#test/browser.ts'
import { type ConsoleBrowser, hasBrowser, openBrowser, settled } from '#test/console.ts'
import { openProvider, type RealProvider } from '#test/provider.ts'
import { codeIn } from '#test/provider-steps.ts'
import { openWorld, type World } from '#test/world.ts'
import { freePort } from '../../../../appliance/embedded/postmaster.ts'

/** A tenant's identity provider: connected on the page of settings, and signed in at, in a browser with a real provider. */
describe.skipIf(!hasBrowser)('the identity provider in the console', () => {
  let world: World
  let browser: ConsoleBrowser
  let provider: RealProvider
  beforeAll(async () => {
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    world = await openWorld({ env: { RATE_LIMIT: '0', PUBLIC_URL: address } })
    browser = await openBrowser(world, port)
    provider = await openProvider(`${address}/api/v1/auth/oidc/callback`)
  })
  afterAll(async () => {
    await browser?.close()
    await provider?.close()
    await world?.close()
  })

  test('is connected by an administrator, and people sign in at it', async () => {
    const tenant = await world.givenTenant()
    const settings = await browser.open('settings', { as: tenant.administrator })
    await settled(settings)
    await settings.getByRole('button', { name: 'Connect a provider' }).click()
    const { issuer, clientId, clientSecret } = provider.client
    await settings.getByLabel('Address of the provider').fill('http://127.0.0.1:1')
    await settings.getByLabel('Client id').fill(clientId)
    await settings.getByLabel('Client secret').fill(clientSecret)
    await settings.getByLabel('Somebody whom only the provider knows gets an account').check()
    await settings.getByRole('button', { name: 'Connect', exact: true }).click()
    await settings.locator('[aria-invalid="true"], [role="alert"]').first().waitFor()
    await settings.getByLabel('Address of the provider').fill(issuer)
    await settings.getByRole('button', { name: 'Connect', exact: true }).click()
    await settings.getByText('Address that the provider must know').waitFor()
    expect(await settings.content()).not.toContain(clientSecret)

    const page = await browser.open(`?tenant=${tenant.code}`)
    await page.getByRole('button', { name: 'Sign in with the account of your organization' }).click()
    await page.getByRole('link', { name: 'Profile' }).waitFor()
    expect(page.url()).not.toContain('code=')
    const people = (await world.as(tenant.administrator).get('/users')).expect(200)
    expect(people.total).toBe(2)
  })

  test('a stale form of it says who changed what, and overwrites nothing', async () => {
    const tenant = await world.givenTenant()
    const second = await world.givenUser(tenant, 'tenant-admin')
    const path = '/tenant/identity-provider'
    const settings = { ...provider.client, createUsers: true }
    ;(await world.as(tenant.administrator).put(path, settings)).expect(200)
    const page = await browser.open('settings', { as: tenant.administrator })
    await page.getByLabel('Groups and the roles that they give').fill('staff = user')
    ;(await world.as(second).put(path, { ...settings, groupsClaim: 'teams' })).expect(200)
    const save = page.locator('section', { hasText: 'Identity provider' }).getByRole('button', { name: 'Save' }).last()
    await save.click()
    const alert = page.getByRole('alert')
    await alert.getByText(`${second.username} changed this`).waitFor()
    await alert.getByText('Claim with the groups').waitFor()
    expect((await world.as(second).get(path)).expect(200).groupRoles).toEqual({})
    await save.click()
    await page.getByRole('status').getByText('Saved').waitFor()
    const saved = (await world.as(second).get(path)).expect(200)
    expect(saved).toMatchObject({ groupsClaim: 'teams', groupRoles: { staff: 'user' } })
    await browser.leave(page)
  })

  test('a link with the code of somebody else signs nobody in, and changes no session that is open', async () => {
    const [tenant, other] = [await world.givenTenant(), await world.givenTenant()]
    ;(
      await world.as(other.administrator).put('/tenant/identity-provider', { ...provider.client, createUsers: true })
    ).expect(200)
    const linkOf = async () => {
      const at = `${browser.address}/api/v1/auth/oidc/start?${new URLSearchParams({ tenantCode: other.code, returnTo: `${browser.address}/console/` })}`
      return `#code=${encodeURIComponent(codeIn(await openHttpBrowser(world.app).follow(at)))}`
    }
    const nobody = await browser.open(await linkOf())
    await nobody.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(nobody.url()).not.toContain('code=')
    const page = await browser.open(await linkOf(), { as: tenant.administrator })
    await page.getByRole('link', { name: 'Profile' }).waitFor()
    await settled(page)
    expect(
      await page.evaluate(
        'fetch("/api/v1/auth/me", { headers: { authorization: "Bearer " + JSON.parse(localStorage["atrium.session"]).accessToken } }).then((answer) => answer.json())',
      ),
    ).toMatchObject({ data: { username: tenant.administrator.username } })
    expect(page.url()).not.toContain('code=')
  })

  test('what came to nothing is said in words', async () => {
    const page = await browser.open('#error=ACCOUNT_NOT_FOUND')
    await page.getByText('There is no account for you here.').waitFor()
    expect(page.url()).not.toContain('error')
    expect(browser.complaints).toEqual([])
  })
})
