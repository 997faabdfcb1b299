import {
  type Column,
  columnsOf,
  countUpTo,
  except,
  type From,
  find,
  lend,
  list,
  lock,
  matches,
  onKey,
  only,
  type PartOf,
  paginate,
  type RowOf,
  type Scope,
  sql,
  write,
  writeReturning,
} from '#atrium'
import { nameAs, personAs, personOf } from '#atrium/people'
import { organizationFaults } from './organization.rules.ts'

const organizationColumns = columnsOf('organizations', ['id', 'tenantId', 'name', 'code', 'status'])

export const insertOrganization = write(({ insert }, p: PartOf<'organizations', 'name' | 'code'> & { id?: number }) =>
  insert('organizations', p),
)

export const getOrganization = find((from, _: object) => from('organizations').select(organizationColumns)).or(
  organizationFaults.notFound,
)

/** Every change of a tenant's structure locks this row, so no two can form a cycle. */
export const lockOrganization = lock((from, _: object) => from('organizations').select(organizationColumns).forUpdate())

/**
 * Changes of a tenant's people and roles run one at a time: they lock the row that departments lock too. So the roles,
 * holders and leaders that a decision has read are still the same when it is saved.
 */
export const lockStaff = lock((from, _: object) => from('organizations').select('organizations.id').forUpdate())

/** Keeps people's rights unchanged until this transaction ends. */
export const shareLockStaff = lock((from, _: object) => from('organizations').select('organizations.id').forShare())

export const saveOrganization = write(({ update }, p: PartOf<'organizations', 'id' | 'name' | 'status'>) =>
  update('organizations')
    .set(only(p, ['name', 'status']))
    .where('organizations.id', '=', p.id),
)

const names = ['id', 'parentId', 'name', 'code', 'leaderId', 'sort', 'status', 'version'] as const
const changeable = [...except(names, ['id', 'version']), 'codeSkeleton', 'updatedAt'] as const

const membersIn = (from: From) =>
  from('departmentMembers').where(matches('departmentMembers.departmentId', 'departments.id'))

/** All departments, for a decision about their structure. */
export const listDepartments = list((from, _: object) =>
  from('departments').select(columnsOf('departments', names)).orderBy('departments.id'),
)

const shown = (from: From) =>
  from('departments')
    .select(columnsOf('departments', names))
    .leftJoin('users as leader', personAs('leader', 'departments.leaderId'))
    .select(nameAs('leader').as('leaderName'))

/** The tree counts a department's people up to here; one more shows that there are more. */
export const MOST_MEMBERS_COUNTED = 1000

/** All departments, for the tree. */
export const listDepartmentTree = list((from, _: object) =>
  shown(from)
    .select(countUpTo(MOST_MEMBERS_COUNTED + 1, membersIn(from).orderBy('departmentMembers.userId')).as('memberCount'))
    .orderBy('departments.sort')
    .orderBy('departments.id'),
)

/** A query from the departments that are in use. */
export const activeDepartments = lend(['departments'], (from: From) =>
  from('departments').where('departments.status', '=', 'active'),
)

/** The id of the department that a column names, if it still exists. */
export const existingDepartment = lend(
  ['departments'],
  (from: From, column: Column) =>
    sql<number | null>`(${from('departments').select('departments.id').where(matches('departments.id', column))})`,
)

export const getDepartmentView = find((from, p: { id: number }) =>
  shown(from)
    .select(sql<number>`(${membersIn(from).select((eb) => eb.fn.countAll().as('count'))})`.as('memberCount'))
    .where('departments.id', '=', p.id),
).or(organizationFaults.departmentNotFound)

const department = (from: From, p: { id: number }) =>
  from('departments').select(['departments.id', 'departments.name']).where('departments.id', '=', p.id)

export const findDepartment = find(department)

export const getDepartment = find(department).or(organizationFaults.departmentNotFound)

/** With its leader. Each change of one of them locks the staff first. */
export const getDepartmentWithLeader = find((from, p: { id: number }) =>
  from('departments')
    .select(['departments.id', 'departments.name', 'departments.leaderId', 'departments.status'])
    .leftJoin('users as leader', personAs('leader', 'departments.leaderId'))
    .select(nameAs('leader').as('leaderName'))
    .where('departments.id', '=', p.id),
).or(organizationFaults.departmentNotFound)

const conflicts = {
  departments_code_taken: organizationFaults.codeTaken,
  departments_code_skeleton_taken: organizationFaults.codeTaken,
}

export const insertDepartment = write(({ insert }, p: RowOf<'departments', 'version'>) => insert('departments', p), {
  conflicts,
})

export const saveDepartment = write(
  (
    { update },
    p: RowOf<'departments', 'createdAt' | 'version' | 'codeSkeleton'> & Partial<PartOf<'departments', 'codeSkeleton'>>,
  ) =>
    update('departments')
      .set({ ...only(p, changeable), version: sql<number>`departments.version + 1` })
      .where('departments.id', '=', p.id),
  { conflicts },
)

export const removeDepartment = write(({ remove }, p: { id: number }) =>
  remove('departments').where('departments.id', '=', p.id),
)

export const listDepartmentMembers = paginate(
  (from, p: { departmentId: number }) =>
    from('departmentMembers')
      .innerJoin('users', personOf('departmentMembers.userId'))
      .select(['users.id', 'users.username', 'users.nickname', 'users.status'])
      .where('departmentMembers.departmentId', '=', p.departmentId),
  'users.id',
  'oldest',
)

/** Puts a person into a department, out of any other. Changes nothing if they are in it already. */
export const placeMember = writeReturning(({ insert }, p: RowOf<'departmentMembers'>) =>
  insert('departmentMembers', p).onConflict((conflict) =>
    conflict
      .columns(['tenantId', 'userId'])
      .doUpdateSet({ departmentId: sql<number>`excluded.department_id`, createdAt: sql<string>`excluded.created_at` })
      .whereRef('departmentMembers.departmentId', '<>', 'excluded.departmentId'),
  ),
)

export const removeDepartmentMember = writeReturning(({ remove }, p: { userId: number; departmentId: number }) =>
  remove('departmentMembers')
    .where('departmentMembers.userId', '=', p.userId)
    .where('departmentMembers.departmentId', '=', p.departmentId),
)

const countChildren = find((from, p: { id: number }) =>
  from('departments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('departments.parentId', '=', p.id),
)

const countDepartmentMembers = find((from, p: { id: number }) =>
  from('departmentMembers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('departmentMembers.departmentId', '=', p.id),
)

/** Counts a department's children and members. */
export async function countUses(scope: Scope, p: { id: number }) {
  const [children, members] = await Promise.all([countChildren(scope, p), countDepartmentMembers(scope, p)])
  return { children: children!.count, members: members!.count }
}

export const listDepartmentsLedBy = list((from, p: { userId: number; most: number }) =>
  from('departments')
    .select(['departments.id', 'departments.name'])
    .where('departments.leaderId', '=', p.userId)
    .orderBy('departments.id')
    .limit(p.most),
)

/** The department that a person is in, with who leads it, for domains that tell its leader something. */
export const findDepartmentOf = find((from, p: { userId: number }) =>
  from('departmentMembers')
    .innerJoin('departments', onKey('departmentMembers.departmentId', 'departments.id'))
    .select(['departments.id', 'departments.name', 'departments.leaderId'])
    .where('departmentMembers.userId', '=', p.userId),
)

export const removeFromDepartments = write(({ remove }, p: { userId: number }) =>
  remove('departmentMembers').where('departmentMembers.userId', '=', p.userId),
)
