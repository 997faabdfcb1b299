import { arrayQuery, idOf, sentence, view, z } from '#atrium'

const MOST_MENTIONED = 20

/** The people whom a comment mentions, as they are sent. */
export const MentionsWanted = z
  .array(idOf('users'))
  .max(MOST_MENTIONED)
  .refine((ids) => new Set(ids).size === ids.length, sentence('must name each person once'))
  .optional()
  .describe('The people whom it mentions, who see the project. Left out of an edit, they stay')
  .meta({ examples: [[]] })

const Mention = z
  .object({ id: view.id, name: view.person })
  .meta({ id: 'Mention', examples: [{ id: 9, name: 'Grace Hopper' }] })
export const MentionsShown = z.array(Mention)

export const WatchQuery = arrayQuery({})

export const WatcherView = z
  .object({ userId: view.id, name: view.text })
  .meta({ id: 'Watcher', examples: [{ userId: 9, name: 'Grace Hopper' }] })

export const WatchedView = z
  .object({ resourceType: z.enum(['task', 'project']), resourceId: view.id, title: view.text })
  .meta({ id: 'Watched', examples: [{ resourceType: 'task', resourceId: 117, title: 'Prepare the launch' }] })
