import { type DomainRoutes, faults, IdParams, quotaFaults, type z } from '#atrium'
import { projectFaults } from '#atrium/projects'
import { inviting } from '#atrium/users'
import { importFaults, importTable } from './import/import-table.ts'
import { importTasks } from './import/tasks.actions.ts'
import { type Hashes, hashAll, importUsers } from './import/users.actions.ts'
import { ImportQuery, ImportReport, TaskRow, TaskSheet, UserRow, UserSheet } from './tables.schemas.ts'

const CSV = 'text/csv'
const MOST_BYTES = 1_048_576
const { notFound, readOnly, archived } = projectFaults

/** Tables that become tasks and people. */
export const tableRoutes: DomainRoutes = async (app, { config }) => {
  // Only these routes read tables; elsewhere they are an unknown media type.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(CSV, { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_, body, done) => done(null, body))
  // A dry run makes nothing.
  app.addHook('onSend', async ({ query }, reply) => {
    if ((query as z.output<typeof ImportQuery>).dryRun && reply.statusCode === 201) reply.code(200)
  })

  app.post(
    '/projects/:id/tasks/import',
    {
      config: { access: 'task:create' },
      schema: {
        operationId: 'importTasks',
        summary: 'Import tasks',
        description:
          'Columns: `title`, `description`, `priority`, `dueDate` and `assignee`, a user name. All rows become tasks, or none. Each assignee is notified once (`TASKS_IMPORTED`). `details` of a refusal have `row` and `column`.',
        consumes: [CSV],
        params: IdParams,
        querystring: ImportQuery,
        body: TaskSheet,
        response: { 201: ImportReport },
        makesNothing: 'What a dry run found',
        refuses: [importFaults.refused, notFound, readOnly, archived, faults.notInTenant],
      },
    },
    (req) => importTable(req, TaskRow, (tx, rows) => importTasks(tx, req.params.id, rows)),
  )

  app.post(
    '/users/import',
    {
      config: { access: 'user:create' },
      schema: {
        operationId: 'importUsers',
        summary: 'Import people',
        description:
          'Columns: `username`, `password`, `nickname`, `email`, `phone`, `realName`, `status` and `roles`, codes with `; ` between them. Who has a password becomes a user, at most 200 of them. Who has none is invited by `email`, if there are invitations. All rows succeed, or none. `details` of a refusal have `row` and `column`.',
        consumes: [CSV],
        querystring: ImportQuery,
        body: UserSheet,
        response: { 201: ImportReport },
        makesNothing: 'What a dry run found',
        refuses: [importFaults.refused, quotaFaults.exceeded, faults.notInTenant],
      },
    },
    (req) =>
      importTable(
        req,
        UserRow,
        (tx, rows, hashes: Hashes) => importUsers(tx, rows, hashes, inviting.get()?.(req, config)),
        (rows) => hashAll(rows, req),
      ),
  )
}
