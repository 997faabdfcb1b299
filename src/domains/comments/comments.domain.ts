import { domain } from '#atrium'
import { content } from '#atrium/content'
import { people } from '#atrium/people'
import { commentEvents } from './comments.events.ts'
import { commentRoutes } from './comments.routes.ts'

const words = {
  events: commentEvents,
  sentences: {
    'Comment not found': '评论不存在',
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
