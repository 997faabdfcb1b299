import { list, sql, write } from '#atrium'

export const listUnsettledProjectCodes = list((from, p: { most: number }) =>
  from('projects')
    .select(['projects.id', 'projects.code'])
    .where('projects.codeSkeleton', 'is', null)
    .orderBy('projects.id')
    .limit(p.most),
)

export const listProjectCodeSkeletons = list((from, p: { skeletons: string[]; most: number }) =>
  from('projects')
    .select('projects.codeSkeleton as skeleton')
    .where('projects.codeSkeleton', '=', sql<string>`any(${p.skeletons}::text[])`)
    .limit(p.most),
)

export const saveProjectCodeSkeleton = write(({ update }, p: { id: number; code: string; skeleton: string }) =>
  update('projects')
    .set({ codeSkeleton: p.skeleton })
    .where('projects.id', '=', p.id)
    .where('projects.code', '=', p.code)
    .where('projects.codeSkeleton', 'is', null),
)
