/** What other domains may use. */
export { default as links } from './links.domain.ts'
export { accountLink, linkPages, sendsLinks } from './links.rules.ts'
