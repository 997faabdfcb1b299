import { Flag, view, z } from '#atrium'
import { TaskDraft } from '#atrium/tasks'
import { UserDraft } from '#atrium/users'

const sheet = (example: string) =>
  z.any().meta({
    type: 'string',
    maxLength: 1_048_576,
    examples: [example],
    description:
      'Comma- or semicolon-separated values in UTF-8: a header, and at most 5000 rows. Columns in any order; an empty cell says nothing',
  })

export const TaskSheet = sheet('title,priority,dueDate\r\nPrepare the launch,HIGH,2026-12-01\r\n')
export const UserSheet = sheet('username,password,nickname,email,roles\r\n')

export const ImportQuery = z.object({
  dryRun: Flag.default(false).describe('Does all of it, says what would be refused, and leaves nothing behind'),
})

/** A row of a table of tasks. */
export const TaskRow = TaskDraft.omit({ assigneeId: true }).extend({ assignee: z.string().max(64).optional() })

/** A row of a table of people: one with a password is made, one without is invited. */
export const UserRow = UserDraft.omit({ roleIds: true, mustChangePassword: true }).extend({
  username: UserDraft.shape.username.optional(),
  password: UserDraft.shape.password.optional(),
  roles: z
    .string()
    .default('')
    .transform((codes) => codes.split(';').flatMap((code) => code.trim() || [])),
})

export const ImportReport = z
  .object({
    rows: z.number().int().describe('How many there are under the header'),
    created: z.number().int().describe('How many were created: all, or none'),
    ignored: z.array(z.string()).describe('The columns that mean nothing here'),
    errors: z
      .array(
        z.object({
          row: z.number().int().describe('As spreadsheets number them: the header is the first'),
          column: view.maybeText.describe('null if it is about the row'),
          message: view.text,
        }),
      )
      .describe('At most 100, and only of a dry run: without one they are a refusal'),
  })
  .meta({
    id: 'ImportReport',
    examples: [
      { rows: 2, created: 0, ignored: ['id'], errors: [{ row: 3, column: 'dueDate', message: 'must be a date' }] },
    ],
  })
export type ImportReport = z.output<typeof ImportReport>
