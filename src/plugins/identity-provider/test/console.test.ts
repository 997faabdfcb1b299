import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser as openHttpBrowser } from '#test/browser.ts'
import { type ConsoleBrowser, hasConsole, openBrowser, settled } from '#test/console.ts'
import { openProvider, type RealProvider } from '#test/provider.ts'
import { codeIn } from '#test/provider-steps.ts'
import { openWorld, type World } from '#test/world.ts'
import { freePort } from '../../../../appliance/embedded/postmaster.ts'

/** A tenant's identity provider: connected on the page of settings, and signed in at, in a browser with a real provider. */
describe.skipIf(!hasConsole)('the identity provider in the console', () => {
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
    const answered = settings.waitForResponse((answer) => answer.request().method() === 'PUT')
    await settings.getByLabel('Groups and the roles that they give').fill('staff user')
    await settings.getByRole('button', { name: 'Save', exact: true }).last().click()
    expect((await answered).status()).toBe(400)
    await settings.locator('textarea[aria-invalid="true"]').waitFor()

    const page = await browser.open(`?tenant=${tenant.code}`)
    await page.getByRole('button', { name: 'Sign in with the account of your organization' }).click()
    await page.getByRole('link', { name: 'Profile' }).waitFor()
    expect(page.url()).not.toContain('code=')
    const people = (await world.as(tenant.administrator).get('/users')).expect(200)
    expect(people.total).toBe(2)
  })

  test('a link with the code of somebody else signs nobody in, and changes no session that is open', async () => {
    const [tenant, other] = [await world.givenTenant(), await world.givenTenant()]
    const named = { ...provider.client, createUsers: true }
    ;(await world.as(other.administrator).put('/tenant/identity-provider', named)).expect(200)
    const linkOf = async () => {
      const query = new URLSearchParams({ tenantCode: other.code, returnTo: `${browser.address}/console/` })
      const at = `${browser.address}/api/v1/auth/oidc/start?${query}`
      return `#code=${encodeURIComponent(codeIn(await openHttpBrowser(world.app).follow(at)))}`
    }
    const nobody = await browser.open(await linkOf())
    await nobody.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(nobody.url()).not.toContain('code=')
    const page = await browser.open(await linkOf(), { as: tenant.administrator })
    await page.getByRole('link', { name: 'Profile' }).waitFor()
    await settled(page)
    const { accessToken } = JSON.parse(String(await page.evaluate('localStorage["atrium.session"]')))
    expect(accessToken).toBe(tenant.administrator.token)
    expect(page.url()).not.toContain('code=')
  })

  test('what came to nothing is said in words', async () => {
    const page = await browser.open('#error=ACCOUNT_NOT_FOUND')
    await page.getByText('There is no account for you here.').waitFor()
    expect(page.url()).not.toContain('error')
    expect(browser.complaints).toEqual([])
  })
})
