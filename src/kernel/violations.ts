import type { z } from 'zod'
import type { Detail } from './fault.ts'
import { isSentence } from './words/sentence.ts'

type Issue = z.core.$ZodIssue

/**
 * What is wrong with a value, in our own words: Zod finds the faults, its English never reaches a client. A schema may
 * name a sentence of the catalogue for its refusal, with the facts as `params`; the others are chosen here.
 * @param part where the value is: `body`, `query`, `params`
 */
export function violationsOf(part: string, value: unknown, issues: readonly Issue[]): Detail[] {
  return issues.flatMap(closest).map((issue) => ({
    path: [part, ...issue.path.map(String)].join('.'),
    ...(at(value, issue.path) === undefined ? missing : sayingOf(issue)),
  }))
}

/**
 * Of the alternatives that a value could have been, what is wrong with the one that was meant: the first whose type and
 * words it has, else the first. The others are ways to leave the value out.
 */
function closest(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union' || isSentence(issue.message)) return [issue]
  const meant = issue.errors.find((errors) => !errors.some(isOther)) ?? issue.errors[0] ?? []
  const inner = meant.flatMap(closest).map((one) => ({ ...one, path: [...issue.path, ...one.path] }))
  return inner.length > 0 ? inner : [issue]
}

/** Whether the whole value is something else than this alternative. */
function isOther({ code, path }: Issue): boolean {
  return path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')
}

const missing: Detail = { message: 'is required' }
const invalid: Detail = { message: 'is not valid' }

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<any>((inner, key) => inner?.[key], value)
}

function sayingOf(issue: Issue): Detail {
  if (isSentence(issue.message)) return { ...(issue as { params?: object }).params, message: issue.message } as Detail
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? invalid
    case 'invalid_format':
      return FORMATS[issue.format] ?? invalid
    case 'invalid_value':
      return oneOf(issue.values.filter((value) => value !== '').map(String))
    case 'invalid_union':
      return invalid
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive)
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive)
    case 'not_multiple_of':
      return { message: 'must be a multiple of {divisor}', divisor: issue.divisor }
    case 'unrecognized_keys':
      return { message: 'contains fields that are not known' }
    case 'invalid_key':
      return issue.issues[0] ? sayingOf(issue.issues[0]) : invalid
    case 'invalid_element':
    case 'custom':
      return invalid
    default:
      issue satisfies never
      return invalid
  }
}

const TYPES: Record<string, Detail> = {
  string: { message: 'must be text' },
  number: { message: 'must be a number' },
  int: { message: 'must be a whole number' },
  boolean: { message: 'must be true or false' },
  array: { message: 'must be a list' },
  object: { message: 'must be an object' },
  record: { message: 'must be an object' },
}

const FORMATS: Record<string, Detail> = {
  email: { message: 'must be an e-mail address' },
  date: { message: 'must be a date in the form yyyy-MM-dd' },
  datetime: { message: 'must be an instant in ISO 8601 with its offset' },
}

function oneOf(values: string[]): Detail {
  return { message: values.length === 1 ? 'must be {values}' : 'must be one of {values}', values }
}

function tooSmall(origin: string, minimum: number, inclusive = true): Detail {
  // Nobody says “1 characters”.
  if (origin === 'string' && minimum === 1) return { message: 'must not be blank', minimum }
  if (origin === 'array' && minimum === 1) return { message: 'must not be empty', minimum }
  if (origin === 'string') return { message: 'must have no fewer than {minimum} characters', minimum }
  if (origin === 'array') return { message: 'must have no fewer than {minimum} entries', minimum }
  return { message: inclusive ? 'must be no less than {minimum}' : 'must be greater than {minimum}', minimum }
}

function tooBig(origin: string, maximum: number, inclusive = true): Detail {
  if (origin === 'string') return { message: 'must have no more than {maximum} characters', maximum }
  if (origin === 'array') return { message: 'must have no more than {maximum} entries', maximum }
  return { message: inclusive ? 'must be no more than {maximum}' : 'must be less than {maximum}', maximum }
}
