import {
  changesOf,
  event,
  idOf,
  Keyword,
  keptText,
  pageOf,
  sentence,
  slugSource,
  sortedBy,
  text,
  view,
  walkedPageQuery,
  z,
} from '#atrium'

const MOST_IDS = 1000

/** A set of ids that replaces the current one; if absent, nothing changes. */
export const idSetOf = (kind: string) =>
  z
    .array(idOf(kind))
    .max(MOST_IDS)
    .nullish()
    .transform((ids) => (ids ? [...new Set(ids)] : undefined))

export const RoleDraft = z
  .object({
    code: slugSource.describe(
      'Letters, digits, hyphens and underscores; other spellings are converted, and a missing code is derived from the name',
    ),
    name: text(64),
    description: keptText(255),
    permissionIds: idSetOf('permissions'),
    menuIds: idSetOf('menus'),
  })
  .meta({ id: 'RoleDraft' })
export type RoleDraft = z.output<typeof RoleDraft>

/** Clients send back what they have read: the code is accepted, but must not change. */
export const RolePatch = z
  .object({
    code: z.string().trim().max(64).optional(),
    name: text(64).optional(),
    description: keptText(255),
    permissionIds: idSetOf('permissions'),
    menuIds: idSetOf('menus'),
  })
  .meta({ id: 'RolePatch' })
export type RolePatch = z.output<typeof RolePatch>

export const RoleQuery = walkedPageQuery({ keyword: Keyword, ...sortedBy(['code']) })

export const RoleView = z
  .object({
    id: view.id,
    code: view.text,
    name: view.text,
    description: view.maybeText,
    permissions: z.array(z.string()),
    menuIds: z.array(view.id),
    createdAt: view.instant,
    updatedAt: view.instant,
  })
  .meta({
    id: 'Role',
    examples: [
      {
        id: 4,
        code: 'editor',
        name: 'Editor',
        description: 'Writes articles',
        permissions: ['content:create'],
        menuIds: [21],
        permissionIds: [14],
      },
    ],
  })
export type RoleView = z.output<typeof RoleView>

export const RolePage = pageOf(RoleView).meta({ id: 'RolePage' })

export const ROLE_FIELDS = ['name', 'description', 'permissions', 'menuIds'] as const

export const roleEvents = {
  'role.created': event(
    'A role was created.',
    z.object({ code: view.text, name: view.text, permissions: z.array(view.text) }),
    { code: 'editor', name: 'Editor', permissions: ['content:list', 'content:update'] },
  ),
  'role.updated': event(
    'A role was renamed, or gives other rights or menus.',
    z.object({ changes: changesOf(ROLE_FIELDS) }),
    {
      changes: [{ field: 'permissions', from: ['content:list'], to: ['content:list', 'content:update'] }],
    },
  ),
  'role.deleted': event('A role was deleted; nobody held it.', z.object({ code: view.text }), { code: 'editor' }),
} as const

const PermissionCode = text(128).regex(
  /^[A-Za-z][A-Za-z0-9_-]*(:[A-Za-z][A-Za-z0-9_-]*)+$/,
  sentence('must be a domain and an action, joined by a colon'),
)

export const PermissionDraft = z
  .object({ code: PermissionCode, name: text(128), description: keptText(255) })
  .meta({ id: 'PermissionDraft' })
export type PermissionDraft = z.output<typeof PermissionDraft>

export const PermissionPatch = z
  .object({ code: PermissionCode.optional(), name: text(128).optional(), description: keptText(255) })
  .meta({ id: 'PermissionPatch' })
export type PermissionPatch = z.output<typeof PermissionPatch>

export const PermissionView = z
  .object({
    id: view.id,
    code: view.text,
    name: view.text,
    description: view.maybeText,
    createdAt: view.instant,
  })
  .meta({
    id: 'Permission',
    examples: [{ id: 36, code: 'report:export', name: 'Export reports', description: 'Reports as files' }],
  })
export type PermissionView = z.output<typeof PermissionView>
