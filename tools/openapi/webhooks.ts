import type { Domain } from '../../src/atrium/domain.ts'
import { EventView } from '../../src/atrium/event-view.ts'
import type { EventDeclaration } from '../../src/kernel/words/domain.ts'
import { subjectTypeOf } from '../../src/kernel/words/events.ts'
import { EXAMPLE, type Json, type Schemas } from './schemas.ts'

/** The part `webhooks` of the document: each type of event that the domains declare, with its schema and an example. */
export function webhooksOf(domains: readonly Domain[], schemas: Schemas): Record<string, Json> {
  schemas.of(EventView, 'output')
  const events = domains.flatMap(({ events = {} }) => Object.entries(events))
  return Object.fromEntries(events.map(([type, event]) => [type, { post: deliveryOf(type, event, schemas) }]))
}

function deliveryOf(type: string, event: EventDeclaration, schemas: Schemas): Json {
  const name = nameOf(type)
  schemas.components[name] = schemaOf(type, event, schemas)
  return {
    operationId: name,
    tags: ['events'],
    summary: event.summary.replace(/\.$/, ''),
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${name}` },
          example: exampleOf(type, event, schemas.components),
        },
      },
    },
    responses: { '2XX': { description: 'It was received.' } },
  }
}

/** The schema of all events, with the type, the kind of subject and the data of this one. */
function schemaOf(type: string, { summary, data }: EventDeclaration, { of, components }: Schemas): Json {
  const { properties, required } = components.Event!
  const subject = components.EventSubject!
  return {
    type: 'object',
    description: summary,
    properties: {
      ...properties,
      type: { type: 'string', const: type },
      subject: {
        ...subject,
        properties: { ...subject.properties, type: { type: 'string', const: subjectTypeOf(type) } },
      },
      data: of(data, 'output'),
    },
    required,
  }
}

function exampleOf(
  type: string,
  { example }: EventDeclaration,
  { Event, EventActor, EventSubject }: Record<string, Json>,
) {
  const { id, occurredAt } = Event![EXAMPLE]
  const subject = { ...EventSubject![EXAMPLE], type: subjectTypeOf(type) }
  return { id, type, occurredAt, actor: EventActor![EXAMPLE], subject, data: example }
}

/** `project.member_added` → ProjectMemberAddedEvent */
export function nameOf(type: string): string {
  return `${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`
}
