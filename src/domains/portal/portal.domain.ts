import { domain, usable } from '#atrium'
import { fileHolders, files, publicity } from '#atrium/files'
import { people } from '#atrium/people'
import { roles } from '#atrium/roles'
import { contactRoutes } from './contact.routes.ts'
import { isNamedInPortal, sections } from './portal.actions.ts'
import { portalEvents } from './portal.events.ts'
import { portalRoutes } from './portal.routes.ts'
import { fitsSection } from './portal.schemas.ts'

const words = {
  permissions: {
    'price:update': ['tenant-admin'],
  },
  resources: ['contact_message'],
  notifications: {
    CONTACT_RECEIVED: { en: 'A message has come from {email}', zh: '收到来自 {email} 的留言' },
  },
  events: portalEvents,
  sentences: {
    'Contact message not found': '留言不存在',
    'occurs twice': '重复出现',
    'the section {section} of the portal names it': '门户的 {section} 栏目引用了该文件',
  },
} as const

declare module '#atrium' {
  interface Domains {
    portal: typeof words
  }
}

export const portal = domain({
  name: 'portal',
  uses: [files, people, roles],
  provides: [
    publicity.by(isNamedInPortal),
    fileHolders.by(sections),
    usable.by({ portal_sections: { content: (content, { section }) => fitsSection(section, content) } }),
  ],
  ...words,
  tags: {
    portal: { description: 'Public content, without a token.', paths: ['/public'] },
  },
  async routes(app, { config }) {
    await app.register(portalRoutes)
    await app.register(contactRoutes, { config })
  },
})
