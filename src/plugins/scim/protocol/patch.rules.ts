import { scimFaults } from '../scim.rules.ts'
import { selectionOf } from './filters.rules.ts'
import {
  type Attribute,
  type Attributes,
  attributeOf,
  booleanOf,
  canonicalValue,
  type Entry,
  isObject,
  type Raw,
} from './resources.rules.ts'

export interface Operation {
  op: 'add' | 'replace' | 'remove'
  path?: string | undefined
  value?: unknown
}

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i
/** `emails[type eq "work"].value` */
const PATH = /^([A-Za-z$][\w$-]*)(?:\[(.*)\])?(?:\.([A-Za-z$][\w$-]*))?$/s
const LONGEST_PATH = 1000

/**
 * Applies the steps of a PATCH to a resource, one after the other. Attributes that are not kept are ignored.
 * @returns a new resource, still to be validated
 * @throws INVALID_PATH, INVALID_SYNTAX, NOT_MUTABLE
 * @see RFC 7644, section 3.5.2
 */
export function patched(resource: Raw, operations: readonly Operation[], attributes: Attributes): Raw {
  const result = structuredClone(resource)
  for (const { op, path, value } of operations.flatMap(spread)) {
    const target = targetOf(path!, attributes)
    if (target) apply(result, op, target, value)
  }
  return result
}

/** A step without a path changes the attributes that its value names. */
function spread({ op, path, value }: Operation): Operation[] {
  if (path) return [{ op, path, value }]
  if (op === 'remove') throw scimFaults.invalidPath()
  if (!isObject(value)) throw scimFaults.invalidSyntax()
  return Object.entries(value).map(([key, inner]) => ({ op, path: key, value: inner }))
}

interface Target {
  attribute: Attribute
  selection: Record<string, unknown> | undefined
  part: string | undefined
}

/** @returns undefined for what is not kept */
function targetOf(path: string, attributes: Attributes): Target | undefined {
  if (path.length > LONGEST_PATH) throw scimFaults.invalidPath()
  const local = path.replace(CORE, '')
  if (/^urn:/i.test(local)) return undefined
  const [, name, filter, part] = PATH.exec(local) ?? []
  if (name === undefined) throw scimFaults.invalidPath()
  const attribute = attributeOf(name, attributes)
  if (!attribute) return undefined
  if (filter !== undefined && attribute.kind !== 'list') throw scimFaults.invalidPath()
  return { attribute, selection: filter === undefined ? undefined : selectionOf(filter), part }
}

function apply(resource: Raw, op: Operation['op'], target: Target, value: unknown): void {
  const { attribute } = target
  if (op !== 'remove' && value === undefined) throw scimFaults.invalidSyntax()
  switch (attribute.kind) {
    case 'single':
      if (target.part) throw scimFaults.invalidPath()
      if (op === 'remove' && attribute.isRequired)
        throw scimFaults.mutability([{ path: `body.${attribute.name}`, message: 'cannot be removed' }])
      resource[attribute.name] = op === 'remove' ? null : value
      return
    case 'complex':
      resource[attribute.name] = partsAfter((resource[attribute.name] ?? {}) as Raw, op, target, value)
      return
    case 'list': {
      const before = (resource[attribute.name] ?? []) as Entry[]
      resource[attribute.name] = withOnePrimary(new Set(before), entriesAfter(before, op, target, value))
      return
    }
    default:
      attribute.kind satisfies never
  }
}

function partsAfter(before: Raw, op: Operation['op'], { attribute, part }: Target, value: unknown): unknown {
  if (op === 'remove' && !part) return {}
  const given = part ? { [part]: op === 'remove' ? null : value } : value
  if (!isObject(given)) throw scimFaults.invalidSyntax()
  return { ...before, ...(canonicalValue(attribute, given) as Raw) }
}

function entriesAfter(before: readonly Entry[], op: Operation['op'], target: Target, value: unknown): Entry[] {
  const { attribute, selection, part } = target
  const given = (value: unknown) => canonicalValue(attribute, value ?? []) as Entry[]
  if (!selection) {
    if (part) throw scimFaults.invalidPath()
    if (op === 'replace') return given(value)
    const named = new Set(given(value).map((entry) => entry.value))
    if (op === 'remove')
      return value === undefined || value === null ? [] : before.filter((entry) => !named.has(entry.value))
    return [...before.filter((entry) => !named.has(entry.value)), ...given(value)]
  }
  const isSelected = (entry: Entry) => isLike(entry, selection)
  if (op === 'remove') return before.filter((entry) => !isSelected(entry))
  const change = given(part ? { [part]: value } : value)[0] ?? {}
  if (before.some(isSelected)) return before.map((entry) => (isSelected(entry) ? { ...entry, ...change } : entry))
  // Entra ID replaces an address that there is not yet.
  return [...before, { ...given(selection)[0], ...change }]
}

/** An entry that is made the primary one takes the mark from all others. */
function withOnePrimary(before: ReadonlySet<Entry>, after: readonly Entry[]): readonly Entry[] {
  if (!after.some((entry) => booleanOf(entry.primary) === true && !before.has(entry))) return after
  return after.map((entry) => (before.has(entry) ? { ...entry, primary: false } : entry))
}

function isLike(entry: Entry, selection: Record<string, unknown>): boolean {
  const text = (value: unknown) => String(value ?? '').toLowerCase()
  return Object.entries(selection).every(([name, value]) => text(entry[name as keyof Entry]) === text(value))
}
