import { domain, searchables } from '#atrium'
import { fileHolders, fileResources, files, publicity } from '#atrium/files'
import { people } from '#atrium/people'
import { blogRoutes } from './blog.routes.ts'
import { covers, isPublishedCover } from './content.actions.ts'
import { contentEvents } from './content.events.ts'
import { contentRoutes } from './content.routes.ts'
import { articlesSeenBy, listSearchedArticles } from './content.store.ts'
import { filesOfArticles } from './files-of-articles.ts'

const words = {
  permissions: {
    'content:list': ['tenant-admin'],
    'content:create': ['tenant-admin'],
    'content:update': ['tenant-admin'],
    'content:delete': ['tenant-admin'],
  },
  resources: ['article'],
  activities: { article: ['FILE_ATTACHED', 'FILE_DETACHED'] },
  events: contentEvents,
  sentences: {
    'Article not found': '文章不存在',
    'Category not found': '分类不存在',
    'There is a category with this name or slug already': '已存在同名或同标识的分类',
    'another category has this name': '该名称已被其他分类使用',
    'another category has this slug': '该标识已被其他分类使用',
    'There are articles in this category': '该分类下仍有文章',
    'article {id} has it as its cover': '文章 {id} 使用该文件作为封面',
    'move its articles first': '请先移走其中的文章',
  },
} as const

declare module '#atrium' {
  interface Domains {
    content: typeof words
  }
}

export const content = domain({
  name: 'content',
  uses: [files, people],
  provides: [
    fileHolders.by(covers),
    fileResources.by(filesOfArticles),
    publicity.by(isPublishedCover),
    searchables.by({ type: 'article', seenBy: articlesSeenBy, list: listSearchedArticles }),
  ],
  ...words,
  tags: {
    content: { description: 'Articles, categories and the portal, for those who write them.', paths: ['/content'] },
  },
  async routes(app) {
    await app.register(contentRoutes)
    await app.register(blogRoutes)
  },
})
