import { keptText, sentence, text, view, z } from '#atrium'

const PermissionCode = text(128).regex(
  /^[A-Za-z][A-Za-z0-9_-]*(:[A-Za-z][A-Za-z0-9_-]*)+$/,
  sentence('must be a domain and an action, joined by a colon'),
)

export const PermissionDraft = z
  .object({ code: PermissionCode, name: text(128), description: keptText(255) })
  .meta({ id: 'PermissionDraft' })
export type PermissionDraft = z.output<typeof PermissionDraft>

export const PermissionPatch = z
  .object({
    code: PermissionCode.optional(),
    name: text(128).optional(),
    description: keptText(255),
  })
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
