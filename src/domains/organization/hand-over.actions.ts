import type { Work } from '#atrium/people'
import { joinDepartment } from './organization.actions.ts'
import { assertMayMove } from './organization.rules.ts'
import { listDepartments, listDepartmentsLedBy, saveDepartment } from './organization.store.ts'

/** Departments as what their leaders are responsible for. What waits for a leader is handed over by its own domain. */
export const ledDepartments: Work = {
  kind: 'departments',
  example: 1,
  keeps: (id) => ({ path: 'departments', id, message: 'leads department {id}' }),
  list: listDepartmentsLedBy,
  async handOver(tx, from, to) {
    const rows = await listDepartments(tx, {})
    const led = rows.filter(({ leaderId }) => leaderId === from)
    for (const { id, name, ...department } of led) {
      assertMayMove(rows, to, id)
      saveDepartment(tx, { ...department, id, name, leaderId: to, updatedAt: tx.now })
      tx.record({
        event: 'department.updated',
        subject: id,
        data: { changes: [{ field: 'leaderId', from, to }] },
      })
      await joinDepartment(tx, id, to)
      tx.notify({
        type: 'DEPARTMENT_HANDED_OVER',
        facts: { name },
        resourceType: 'department',
        resourceId: id,
        receivers: [to],
      })
    }
    return led.length
  },
}
