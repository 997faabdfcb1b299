/** What other domains may use. */
export { identityProvider } from './identity-provider.domain.ts'
