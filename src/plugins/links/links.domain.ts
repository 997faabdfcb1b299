import { domain } from '#atrium'
import { linkPagesOf } from './links.pages.ts'

export default domain({
  name: 'links',
  about: 'Pages that links in mails lead to, unless a front end has its own',
  pages: linkPagesOf,
})
