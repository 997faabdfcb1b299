/** What other domains may use. */
export { default as identityProvider } from './identity-provider.domain.ts'
