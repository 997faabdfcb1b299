import { domain } from '#atrium'
import { linkPagesOf } from './links.pages.ts'

export const links = domain({
  name: 'links',
  pages: linkPagesOf,
})
