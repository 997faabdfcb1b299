import { IdInPath, idOf, text, Version, view, z } from '#atrium'

const status = z.enum(['active', 'disabled']).meta({ id: 'ActiveStatus' })

export const OrganizationPatch = z
  .object({ name: text(128).optional(), status: status.optional() })
  .meta({ id: 'OrganizationPatch' })
export type OrganizationPatch = z.output<typeof OrganizationPatch>

export const OrganizationView = z
  .object({ id: view.id, tenantId: view.id, name: view.text, code: view.text, status })
  .meta({ id: 'Organization', examples: [{ id: 1, name: 'Velora', code: 'VELORA' }] })

export type OrganizationView = z.output<typeof OrganizationView>

/** Clients send the whole form: a missing field is cleared or takes its default. */
export const DepartmentDraft = z
  .object({
    name: text(128),
    code: text(64),
    parentId: idOf('departments')
      .nullish()
      .transform((id) => id ?? null),
    leaderId: idOf('users')
      .nullish()
      .transform((id) => id ?? null),
    sort: z.number().int().min(-1_000_000).max(1_000_000).default(0),
    status: status.default('active'),
  })
  .meta({ id: 'DepartmentDraft' })
export type DepartmentDraft = z.output<typeof DepartmentDraft>

export const DepartmentPatch = DepartmentDraft.extend({
  version: Version.optional().describe('The version that was read. With an older one nothing is changed'),
}).meta({ id: 'DepartmentPatch' })
export type DepartmentPatch = z.output<typeof DepartmentPatch>

const DepartmentFields = z.object({
  id: view.id,
  parentId: view.maybeId,
  name: view.text,
  code: view.text,
  leaderId: view.maybeId,
  leaderName: view.maybeText,
  sort: z.number().int(),
  status,
  memberCount: z.number().int(),
  version: view.version,
})
export type DepartmentRow = z.output<typeof DepartmentFields>
export interface DepartmentView extends DepartmentRow {
  children: DepartmentView[]
}

export const DepartmentView = DepartmentFields.extend({
  get children(): z.ZodArray<z.ZodType<DepartmentView>> {
    return z.array(DepartmentView)
  },
}).meta({
  id: 'Department',
  examples: [
    {
      id: 3,
      parentId: 1,
      name: 'Engineering',
      code: 'ENG',
      leaderId: 9,
      leaderName: 'Grace Hopper',
      sort: 10,
      memberCount: 14,
      version: 3,
    },
  ],
})

export const DepartmentMemberView = z
  .object({ id: view.id, username: view.text, nickname: view.maybeText, status })
  .meta({ id: 'DepartmentMember', examples: [{ id: 7 }] })

export const DepartmentMemberParams = z.object({ id: IdInPath, userId: IdInPath })
