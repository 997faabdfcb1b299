import { content } from '../content/content.domain.ts'
import { domain } from '../domain.ts'
import { files } from '../files/files.domain.ts'
import { publicity } from '../files/public-files.routes.ts'
import { contactRoutes } from './contact.routes.ts'
import { isNamedInPublic } from './portal.actions.ts'
import { portalRoutes } from './portal.routes.ts'

const words = {
  permissions: {
    'price:update': ['tenant-admin'],
  },
  sentences: {
    'occurs twice': '重复出现',
  },
} as const

declare module '../../kernel/domain.ts' {
  interface Domains {
    portal: typeof words
  }
}

export const portal = domain({
  name: 'portal',
  uses: [content, files],
  provides: [publicity.by(isNamedInPublic)],
  ...words,
  tags: {
    portal: { description: 'What anyone may read, without a token.', paths: ['/public'] },
  },
  async routes(app, { config }) {
    await app.register(portalRoutes)
    await app.register(contactRoutes, { config })
  },
})
