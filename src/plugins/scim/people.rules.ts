import type { UserResource } from './scim.schemas.ts'
import type { findPerson } from './scim.store.ts'

export type Person = NonNullable<Awaited<ReturnType<typeof findPerson>>>

/** A person as SCIM shows them. @param base where SCIM is: `/scim/v2`, after the address of the installation if that is known */
export function personView(person: Person, base: string) {
  const { nickname, email, phone, externalId } = person
  const name = given({ formatted: person.realName, givenName: person.givenName, familyName: person.familyName })
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    id: String(person.id),
    ...(externalId && { externalId }),
    userName: person.username,
    ...(name && { name }),
    ...(nickname && { displayName: nickname }),
    active: person.status === 'active',
    ...(email && { emails: [{ value: email, type: person.emailType ?? 'work', primary: true }] }),
    ...(phone && { phoneNumbers: [{ value: phone, type: person.phoneType ?? 'work', primary: true }] }),
    groups: person.roleIds.map((id, at) => ({
      value: String(id),
      $ref: `${base}/Groups/${id}`,
      display: person.roleCodes[at],
    })),
    meta: {
      resourceType: 'User',
      created: person.createdAt,
      lastModified: person.updatedAt,
      location: `${base}/Users/${person.id}`,
    },
  }
}

/** The parts that are there; undefined if none is. */
function given(parts: Record<string, string | null>): Record<string, string> | undefined {
  const there = Object.entries(parts).filter((part): part is [string, string] => Boolean(part[1]))
  return there.length ? Object.fromEntries(there) : undefined
}

/** What of a resource a user of Atrium has. @param before the person as they were; undefined for a new one */
export function contactOf(resource: UserResource, before?: Person) {
  return {
    nickname: resource.displayName,
    email: mainOf(resource.emails)?.value ?? null,
    phone: mainOf(resource.phoneNumbers)?.value ?? null,
    realName: realNameOf(resource.name, before),
    status: statusOf(resource, before),
  }
}

/** What SCIM alone knows of a person. */
export function extrasOf({ externalId, name: { givenName, familyName }, emails, phoneNumbers }: UserResource) {
  const [emailType, phoneType] = [emails, phoneNumbers].map((entries) => mainOf(entries)?.type ?? null)
  return { externalId, givenName, familyName, emailType: emailType!, phoneType: phoneType! }
}

/** Without `active`, a person stays as they are, and a new one is active. */
function statusOf({ active }: UserResource, before: Person | undefined): Person['status'] {
  if (active === undefined) return before?.status ?? 'active'
  return active ? 'active' : 'disabled'
}

/** Atrium keeps one address: the primary one, or that of work, or the first. */
function mainOf(entries: UserResource['emails']) {
  return entries.find(({ primary }) => primary) ?? entries.find(({ type }) => type === 'work') ?? entries[0]
}

/** The whole name, or its two halves. One that was made of the halves follows them when they change. */
function realNameOf({ formatted, givenName, familyName }: UserResource['name'], before: Person | undefined) {
  const joined = joinedOf(givenName, familyName)
  const wasJoined =
    before && formatted === before.realName && formatted === joinedOf(before.givenName, before.familyName)
  return (wasJoined ? joined : formatted) ?? joined
}

/** As long as a whole name may be elsewhere, or nothing: both halves are kept in any case. */
const LONGEST_NAME = 64

function joinedOf(givenName: string | null, familyName: string | null): string | null {
  const joined = [givenName, familyName].filter(Boolean).join(' ')
  return joined.length > LONGEST_NAME ? null : joined || null
}
