import type { z } from 'zod'
import type { EventDeclaration, Words } from './domain.ts'

/** Declares a type of event. */
export function event<Data extends z.ZodObject>(
  summary: string,
  data: Data,
  example: z.input<Data>,
  subject?: string,
): EventDeclaration<Data> {
  return { summary, data, example, ...(subject && { subject }) }
}

const declared = new Map<string, EventDeclaration>()

/** Registers the events of a domain. @throws Error if a type is declared twice */
export function declareEvents(events: NonNullable<Words['events']>): void {
  for (const [type, declaration] of Object.entries(events)) {
    if (declared.has(type)) throw new Error(`The event ${type} is declared by two domains`)
    declared.set(type, declaration)
  }
}

/** Every declared type of event, with its declaration. */
export function allEvents(): ReadonlyMap<string, EventDeclaration> {
  return declared
}

/** The kind of thing that a type of event happens to: `task`. */
export function subjectTypeOf(type: string): string {
  return declared.get(type)?.subject ?? type.slice(0, type.indexOf('.'))
}
