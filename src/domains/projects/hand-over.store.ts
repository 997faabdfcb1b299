import { list, lockAll, sql, writeReturning } from '#atrium'

/** The projects that a person owns, in the order of their ids. */
export const listProjectsOwnedBy = list((from, p: { userId: number; most: number }) =>
  from('projects')
    .select(['projects.id', 'projects.name'])
    .where('projects.ownerId', '=', p.userId)
    .orderBy('projects.id')
    .limit(p.most),
)

/** Gives all of a person's projects to another one. */
export const passProjects = writeReturning(({ update }, p: { from: number; to: number; updatedAt: string }) =>
  update('projects')
    .set({ ownerId: p.to, version: sql<number>`projects.version + 1`, updatedAt: p.updatedAt })
    .where('projects.ownerId', '=', p.from)
    .returning(['projects.id', 'projects.name', 'projects.version']),
)

/** Nobody joins or leaves these projects until this transaction ends. */
export const lockProjects = lockAll((from, p: { ids: readonly number[] }) =>
  from('projects')
    .select(['projects.id', 'projects.version'])
    .where('projects.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .orderBy('projects.id')
    .forUpdate(),
)

/** Which of these projects a person belongs to, and as what. */
export const listMembershipsIn = list((from, p: { userId: number; ids: readonly number[] }) =>
  from('projectMembers')
    .select(['projectMembers.projectId', 'projectMembers.role'])
    .where('projectMembers.userId', '=', p.userId)
    .where('projectMembers.projectId', '=', sql<number>`any(${p.ids}::bigint[])`),
)
