import { expect } from '../../../../tools/tour/guide.ts'
import type { Part } from '../../../../tools/tour/parts.ts'

/** What a tenant without an identity provider is told. */
const part: Part = {
  shows: 'A provider is asked when it is saved.',
  async tell({ chapter, tell, refused, visitor, visit, baseUrl }, { neighbour, tenant }) {
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
  },
}
export default part
