import { openBrowser } from '#test/browser.ts'
import { nameProvider, startAddress } from '#test/provider-steps.ts'
import type { Surroundings } from '#test/sealed.ts'

export default { 'identity_providers.client_secret': givenProvider }

async function givenProvider({ world, tenant }: Surroundings) {
  await nameProvider(world.as(tenant.administrator))
  return async () =>
    (await openBrowser(world.app).follow(startAddress(tenant.code))).replace(/^.*#(code|error=\w+).*$/, '$1')
}
