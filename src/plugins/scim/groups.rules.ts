import type { findGroup, listMembers } from './scim.store.ts'

export type Group = NonNullable<Awaited<ReturnType<typeof findGroup>>>
export type Member = Awaited<ReturnType<typeof listMembers>>[number]

/** A role as SCIM shows it. @param members undefined if they are not wanted */
export function groupView(group: Group, members: readonly Member[] | undefined, base: string) {
  const { id, externalId } = group
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    id: String(id),
    ...(externalId && { externalId }),
    displayName: group.name,
    ...(members && {
      members: members
        .filter(({ roleId }) => roleId === id)
        .map((member) => ({
          value: String(member.id),
          $ref: `${base}/Users/${member.id}`,
          display: member.name,
          type: 'User',
        })),
    }),
    meta: {
      resourceType: 'Group',
      created: group.createdAt,
      lastModified: group.updatedAt,
      location: `${base}/Groups/${id}`,
    },
  }
}
