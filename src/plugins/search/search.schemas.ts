import { absentIfBlank, bounded, searchables, sentence, view, z } from '#atrium'

const kinds = () => searchables.all().map(({ type }) => type)

/** The kinds of things that domains let people search for; they are known when the document is written. */
const SearchedType = z.string().meta({
  id: 'SearchedType',
  get enum() {
    return kinds()
  },
})

const Types = z
  .string()
  .max(200)
  .transform((list) => list.split(',').map((type) => type.trim()))
  .refine(
    (types) => types.every((type) => kinds().includes(type)),
    sentence('must be kinds of things that are searched'),
  )
  .optional()
  .describe('Only these kinds, separated by commas: `task,project,article,person,approval,file`')

export const SearchQuery = z.object({
  q: z
    .string()
    .trim()
    .min(1, sentence('must not be blank'))
    .max(200)
    .describe('What has to occur: all words, the last one as a beginning; what is between quotation marks in its order')
    .meta({ examples: ['launch'] }),
  ...absentIfBlank({
    types: Types,
    limit: bounded(1, 50, 20).default(20).describe('How many results at most'),
  }),
})

export const SearchResult = z
  .object({
    type: SearchedType,
    id: view.id,
    key: view.maybeText.describe('Of a file what its routes take; otherwise null'),
    title: view.text,
    excerpt: view.text.describe('Plain text: the part with the first word that occurs in it, or its beginning'),
    projectId: view.maybeId.describe('Of a task its project'),
    updatedAt: view.instant,
  })
  .meta({
    id: 'SearchResult',
    examples: [
      {
        type: 'task',
        id: 117,
        key: null,
        title: 'Prepare the launch',
        excerpt: 'Slides, and a list of whom to invite',
        projectId: 42,
        updatedAt: '2026-11-23T09:30:00.000Z',
      },
    ],
  })
export type SearchResult = z.output<typeof SearchResult>
