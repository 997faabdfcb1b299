import {
  allActivitiesOf,
  arrayQuery,
  bounded,
  Day,
  declaredWords,
  type Expected,
  idInPathOf,
  idOf,
  Keyword,
  keptText,
  patchOf,
  ReadVersion,
  sentence,
  sortedBy,
  text,
  Version,
  view,
  z,
} from '#atrium'

export const TaskStatus = z.enum(['TODO', 'IN_PROGRESS', 'BLOCKED', 'DONE', 'CANCELLED']).meta({ id: 'TaskStatus' })
export type TaskStatus = z.infer<typeof TaskStatus>
export const TaskPriority = z.enum(['LOW', 'MEDIUM', 'HIGH', 'URGENT']).meta({ id: 'TaskPriority' })
export type TaskPriority = z.infer<typeof TaskPriority>

export const TaskDraft = z
  .object({
    title: text(255),
    description: keptText(8000),
    assigneeId: idOf('users').nullish(),
    priority: TaskPriority.default('MEDIUM'),
    dueDate: Day.nullish(),
  })
  .meta({ id: 'TaskDraft' })
export type TaskDraft = z.output<typeof TaskDraft>

export const TaskPatch = patchOf(TaskDraft)
  .extend({ version: ReadVersion, status: TaskStatus.optional() })
  .meta({ id: 'TaskPatch' })
export type TaskPatch = z.output<typeof TaskPatch> & Expected

/** Changes of several tasks, each named once. */
export const TasksPatch = z
  .object({
    tasks: z
      .array(
        TaskPatch.extend({ id: idOf('tasks'), version: Version.describe('The version that was read') }).meta({
          id: 'NamedTaskPatch',
          examples: [
            {
              id: 117,
              version: 3,
              status: 'IN_PROGRESS',
              title: 'Prepare the launch',
              description: 'Texts and pictures',
              assigneeId: 9,
              priority: 'HIGH',
              dueDate: '2026-12-01',
            },
          ],
        }),
      )
      .min(1)
      .max(100)
      .superRefine((tasks, context) => {
        const named = new Set<number>()
        for (const [at, { id }] of tasks.entries()) {
          if (named.has(id)) context.addIssue({ code: 'custom', path: [at, 'id'], message: sentence('is named twice') })
          named.add(id)
        }
      }),
  })
  .meta({ id: 'TasksPatch' })
export type TasksPatch = z.output<typeof TasksPatch>

export const TaskQuery = arrayQuery({
  status: TaskStatus.optional(),
  priority: TaskPriority.optional(),
  assigneeId: idInPathOf('users').optional(),
  keyword: Keyword,
  deleted: z.literal('true').optional().describe('The tasks that were deleted in the last 30 days instead'),
  ...sortedBy(['dueDate', 'priority', 'updatedAt', 'title']),
})

/** One or more of these words in a query, with commas between them. */
const severalOf = <const Word extends string>(words: z.ZodEnum<{ [W in Word]: W }>) => {
  const any = words.options.join('|')
  return z
    .string()
    .transform((given) => given.split(',').map((word) => word.trim()))
    .pipe(z.array(words))
    .meta({
      documented: { type: 'string', pattern: `^(${any})(,(${any}))*$` },
      description: 'One or more, with commas between them',
    })
}

/** The tasks of all projects that one sees. */
export const SeenTaskQuery = arrayQuery({
  assigneeId: z.literal('me').or(idInPathOf('users')).optional().describe('`me`, or the id of a person'),
  status: severalOf(TaskStatus).optional(),
  priority: severalOf(TaskPriority).optional(),
  dueFrom: Day.optional().describe('Tasks that are due on this day or later'),
  dueTo: Day.optional().describe('Tasks that are due on this day or earlier'),
  projectId: idInPathOf('projects').optional(),
  keyword: Keyword,
  limit: bounded(1, 1000).optional().describe('Like `pageSize`, but without counting the rows'),
  ...sortedBy(['dueDate', 'updatedAt']),
})

const EXAMPLE = {
  id: 117,
  projectId: 42,
  title: 'Prepare the launch',
  description: 'Texts, pictures, and somebody who reads them once more',
  assigneeId: 9,
  assigneeName: 'Grace Hopper',
  priority: 'HIGH',
  status: 'IN_PROGRESS',
  dueDate: '2026-12-01',
  reporterId: 7,
  reporterName: 'Ada Lovelace',
}

export const TaskView = z
  .object({
    id: view.id,
    projectId: view.id,
    title: view.text,
    description: view.maybeText,
    assigneeId: view.maybeId,
    assigneeName: view.maybePerson,
    reporterId: view.id,
    reporterName: view.person,
    priority: TaskPriority,
    status: TaskStatus,
    dueDate: view.maybeDay,
    version: view.version,
    createdAt: view.instant,
    updatedAt: view.instant,
  })
  .meta({ id: 'Task', examples: [EXAMPLE] })
export type TaskView = z.output<typeof TaskView>
/** A task as it is stored: people by their ids. */
export type Task = Omit<TaskView, 'assigneeName' | 'reporterName'>

export const ListedTaskView = TaskView.extend({
  deletedAt: view.instant.optional().describe('Only of deleted tasks'),
  deletedById: view.id.optional(),
  deletedByName: view.person.optional(),
}).meta({ id: 'ListedTask', examples: [{ ...EXAMPLE, deletedById: 7, deletedByName: 'Ada Lovelace' }] })
export type ListedTaskView = z.output<typeof ListedTaskView>

const TaskAction = z.string().meta(declaredWords(() => allActivitiesOf('task'), 'TaskAction'))

export const TaskActivityView = z
  .object({
    id: view.id,
    taskId: view.id,
    actorId: view.id,
    actorName: view.person,
    action: TaskAction,
    fieldName: view.maybeText,
    oldValue: view.maybeText,
    newValue: view.maybeText,
    createdAt: view.instant,
  })
  .meta({
    id: 'TaskActivity',
    examples: [
      {
        id: 640,
        taskId: 117,
        actorName: 'Ada Lovelace',
        action: 'STATUS_CHANGED',
        fieldName: 'status',
        oldValue: 'TODO',
        newValue: 'IN_PROGRESS',
      },
    ],
  })
