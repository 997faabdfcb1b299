/**
 * The attributes of SCIM that Atrium keeps, by their names in lower case: SCIM compares names without case. All others are
 * ignored, because directories send many by default.
 * @see RFC 7643, sections 2.1, 4.1 and 4.2
 */
export interface Attribute {
  name: string
  /** `complex` has these parts; `list` has entries with `value`, `type` and `primary` */
  kind: 'single' | 'complex' | 'list'
  parts?: readonly string[]
  /** it has a value always */
  isRequired?: true
}
export type Attributes = Readonly<Record<string, Attribute>>

export const USER_ATTRIBUTES: Attributes = {
  username: { name: 'userName', kind: 'single', isRequired: true },
  externalid: { name: 'externalId', kind: 'single' },
  displayname: { name: 'displayName', kind: 'single' },
  active: { name: 'active', kind: 'single', isRequired: true },
  password: { name: 'password', kind: 'single', isRequired: true },
  name: { name: 'name', kind: 'complex', parts: ['formatted', 'givenName', 'familyName'] },
  emails: { name: 'emails', kind: 'list' },
  phonenumbers: { name: 'phoneNumbers', kind: 'list' },
}

export const GROUP_ATTRIBUTES: Attributes = {
  externalid: { name: 'externalId', kind: 'single' },
  displayname: { name: 'displayName', kind: 'single', isRequired: true },
  members: { name: 'members', kind: 'list' },
}

export interface Entry {
  value?: unknown
  type?: unknown
  primary?: unknown
}
export const PARTS_OF_ENTRY = ['value', 'type', 'primary'] as const

/** A resource as it was sent, with the attributes that are kept under the names of the standard. */
export type Raw = Record<string, unknown>

/** The attributes of a body that are kept. Its own keys are looked up, so a key like `__proto__` names nothing. */
export function canonical(body: object, attributes: Attributes): Raw {
  const raw: Raw = {}
  for (const [key, value] of Object.entries(body)) {
    const attribute = attributeOf(key, attributes)
    if (attribute) raw[attribute.name] = canonicalValue(attribute, value)
  }
  return raw
}

/** An attribute by its name, in any case. */
export function attributeOf(name: string, attributes: Attributes): Attribute | undefined {
  const key = name.toLowerCase()
  return Object.hasOwn(attributes, key) ? attributes[key] : undefined
}

/** A value as the standard writes it: the parts of a complex one, the entries of a list. */
export function canonicalValue({ kind, parts = [] }: Attribute, value: unknown): unknown {
  if (kind === 'complex') return isObject(value) ? partsOf(value, parts) : value
  if (kind === 'list') return value === null || value === undefined ? value : [value].flat().map(entryOf)
  return value
}

/** Some directories send a bare value in place of an entry. */
function entryOf(given: unknown): Entry {
  return isObject(given) ? partsOf(given, PARTS_OF_ENTRY) : { value: given }
}

function partsOf(value: object, parts: readonly string[]): Raw {
  const found: Raw = {}
  for (const [key, inner] of Object.entries(value)) {
    const part = parts.find((one) => one.toLowerCase() === key.toLowerCase())
    if (part) found[part] = inner
  }
  return found
}

/** Some directories write booleans as text. All else stays as it is. */
export function booleanOf(value: unknown): unknown {
  return typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
