import type { Tx } from '#atrium'
import { MOST_TOLD_SINGLY, type Work } from '#atrium/people'
import { listMembershipsIn, listProjectsOwnedBy, lockProjects, passProjects } from './hand-over.store.ts'
import { ensureMember } from './members/members.actions.ts'
import { recordOwner } from './projects.actions.ts'

/** Projects as what their owners are responsible for, archived ones too. */
export const ownedProjects: Work = {
  kind: 'projects',
  example: 3,
  needs: 'project:list',
  keeps: (id) => ({ path: 'projects', id, message: 'owns project {id}' }),
  list: listProjectsOwnedBy,
  async handOver(tx, from, to) {
    const { rows: projects } = await passProjects(tx, { from, to, updatedAt: tx.now })
    await joinProjects(tx, { userId: to, ids: projects.map(({ id }) => id) })
    for (const { id: projectId, version } of projects) recordOwner(tx, { projectId, from, to, version })
    tellOwner(tx, projects, to)
    return projects.length
  },
}

/** Makes a person a member of projects, archived ones too, also of those that they only view. Records each that changes. */
export async function joinProjects(tx: Tx, p: { userId: number; ids: readonly number[] }): Promise<void> {
  if (p.ids.length === 0) return
  const [projects, memberships] = await tx.inOrder([lockProjects(tx, p), listMembershipsIn(tx, p)])
  const roles = new Map(memberships.map(({ projectId, role }) => [projectId, role]))
  for (const { id: projectId, version } of projects)
    ensureMember(tx, { projectId, userId: p.userId, version }, roles.get(projectId))
}

function tellOwner(tx: Tx, projects: readonly { id: number; name: string }[], ownerId: number): void {
  const receivers = [ownerId]
  if (projects.length > MOST_TOLD_SINGLY)
    tx.notify({
      type: 'PROJECTS_HANDED_OVER',
      facts: { count: String(projects.length) },
      resourceType: 'project',
      resourceId: projects[0]!.id,
      receivers,
    })
  else
    for (const { id, name } of projects)
      tx.notify({ type: 'PROJECT_HANDED_OVER', facts: { name }, resourceType: 'project', resourceId: id, receivers })
}
