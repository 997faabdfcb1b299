import { domain } from '#atrium'
import { content } from '#atrium/content'
import { fileHolders, files, publicity } from '#atrium/files'
import { contactRoutes } from './contact.routes.ts'
import { isNamedInPublic, sectionsNaming } from './portal.actions.ts'
import { portalRoutes } from './portal.routes.ts'

const words = {
  permissions: {
    'price:update': ['tenant-admin'],
  },
  sentences: {
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
  uses: [content, files],
  provides: [publicity.by(isNamedInPublic), fileHolders.by(sectionsNaming)],
  ...words,
  tags: {
    portal: { description: 'Public content, without a token.', paths: ['/public'] },
  },
  async routes(app, { config }) {
    await app.register(portalRoutes)
    await app.register(contactRoutes, { config })
  },
})
