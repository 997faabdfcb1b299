import { domain } from '#atrium'
import { content } from '#atrium/content'
import { people } from '#atrium/people'
import { commentEvents } from './comments.events.ts'
import { commentRoutes } from './comments.routes.ts'

const words = {
  events: commentEvents,
  sentences: {
    'Comment not found': '评论不存在',
    'Only its author may change a comment; an editor of articles may delete it too':
      '只有作者可以修改评论；文章编辑者也可以删除评论',
  },
} as const

declare module '#atrium' {
  interface Domains {
    comments: typeof words
  }
}

export const comments = domain({
  name: 'comments',
  uses: [content, people],
  ...words,
  tags: {
    comments: {
      description: 'Comments of signed-in people on posts.',
      paths: ['/blog', '/public/blog/:id/comments', '/content/comments'],
    },
  },
  routes: commentRoutes,
})
