import { type Fault, type From, ports, type sql, type Tx, type z } from '#atrium'

/**
 * A field of the comments of tasks that another domain keeps, such as the people whom a comment mentions. Where nobody
 * provides it, it is sent in vain and shown nowhere, as other unknown fields are.
 */
export interface CommentField<Given = any> {
  readonly name: string
  /** what is sent; it may be left out */
  readonly draft: z.ZodType<Given | undefined>
  readonly view: z.ZodType
  readonly refuses: readonly (() => Fault)[]
  /** what is shown of it, in a query over `taskComments`: a part that is lent */
  shown(from: From): ReturnType<typeof sql<unknown>>
  /**
   * Reads what it needs, beside the task. @param of what is commented on, or edited
   * @returns what saves the field once it is known that the comment may be written
   */
  read(
    tx: Tx,
    of: { taskId: number; commentId?: number },
    given: Given | undefined,
  ): Promise<(comment: Written) => Saved>
  /** Ends it with the text of a comment. */
  remove(tx: Tx, p: { commentId: number }): void
}
export const commentFields = ports<CommentField>('what comments of tasks have beside their text')

interface Written {
  id: number
  task: { id: number; title: string }
  /** what notifications of a new comment quote; undefined for one that is edited */
  quote?: string | undefined
}

interface Saved {
  shown: unknown
  changed: boolean
  /** who is notified of the comment by it */
  told: readonly number[]
}

/** The schemas of a comment with the fields that are provided. */
export function withFields<Shape extends z.core.$ZodLooseShape>(schema: z.ZodObject<Shape>, part: 'draft' | 'view') {
  const fields = commentFields.all()
  if (fields.length === 0) return schema
  const added = Object.fromEntries(fields.map((field) => [field.name, field[part]]))
  return schema.extend(added).meta(schema.meta()!) as unknown as z.ZodObject<Shape>
}

/** In a query over `taskComments`: the fields that are provided. */
export function fieldsShown(from: From) {
  return commentFields.all().map((field) => field.shown(from).as(field.name)) as unknown as []
}

/** Reads for all fields. @param draft what was sent @returns what saves them all */
export async function readFields(tx: Tx, of: { taskId: number; commentId?: number }, draft: object) {
  const given: Record<string, unknown> = { ...draft }
  const fields = await Promise.all(
    commentFields.all().map(async ({ name, read }) => ({ name, save: await read(tx, of, given[name]) })),
  )
  return (comment: Written) => {
    const saved = fields.map(({ name, save }) => ({ name, ...save(comment) }))
    return {
      shown: Object.fromEntries(saved.map(({ name, shown }) => [name, shown])),
      changed: saved.some(({ changed }) => changed),
      told: saved.flatMap(({ told }) => told),
    }
  }
}
