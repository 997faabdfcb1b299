import { list, sql, write } from '#atrium'

export const listUnsettledDepartmentCodes = list((from, p: { most: number }) =>
  from('departments')
    .select(['departments.id', 'departments.code'])
    .where('departments.codeSkeleton', 'is', null)
    .orderBy('departments.id')
    .limit(p.most),
)

export const listDepartmentCodeSkeletons = list((from, p: { skeletons: string[]; most: number }) =>
  from('departments')
    .select('departments.codeSkeleton as skeleton')
    .where('departments.codeSkeleton', '=', sql<string>`any(${p.skeletons}::text[])`)
    .limit(p.most),
)

export const saveDepartmentCodeSkeleton = write(({ update }, p: { id: number; code: string; skeleton: string }) =>
  update('departments')
    .set({ codeSkeleton: p.skeleton })
    .where('departments.id', '=', p.id)
    .where('departments.code', '=', p.code)
    .where('departments.codeSkeleton', 'is', null),
)
