import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { z } from 'zod'
import { translate } from '../../kernel/words/sentence.ts'
import { view } from '../../kernel/zod.ts'

/** Gives a name to each person in a value of a view who has none any more. */
type Naming = (value: any, formerUser: () => string) => void

/**
 * A person who has left is named by a word in the reader's language, wherever a view names a person by `view.person`.
 * The store returns a blank for them, which is no one's name.
 */
export const formerUsers = fp(
  async (app) => {
    app.addHook('onRoute', (route) => {
      const name = namerOf(route)
      if (!name) return
      route.preSerialization = async (_: FastifyRequest, reply: FastifyReply, answer: unknown) => {
        name(answer, reply)
        return answer
      }
    })
  },
  { name: 'former-users', dependencies: ['language'] },
)

/** Names the former members in an answer of a route; undefined if its views name nobody. */
export function namerOf({ schema }: RouteOptions): ((answer: unknown, reply: FastifyReply) => void) | undefined {
  const views = Object.values((schema?.response as object | undefined) ?? {})
  const name = inTurn(views.flatMap((one) => namingIn(one, [])))
  return name && ((answer, reply) => name(answer, () => translate(reply.inLanguage(), 'former member')))
}

/** @param above the views that contain this one; a tree is followed to its first level */
function namingIn(schema: unknown, above: unknown[]): Naming[] {
  if (schema instanceof z.ZodNullable) {
    const inner = inTurn(namingIn(schema.unwrap(), above))
    return inner ? [(value, formerUser) => value !== null && inner(value, formerUser)] : []
  }
  if (schema instanceof z.ZodArray) {
    const each = inTurn(namingIn(schema.element, above))
    if (!each) return []
    return [
      (rows: unknown[], formerUser) => {
        for (const row of rows) each(row, formerUser)
      },
    ]
  }
  if (!(schema instanceof z.ZodObject) || above.includes(schema)) return []
  return Object.entries(schema.shape).flatMap(([field, inner]) => namingOf(field, inner, [...above, schema]))
}

function namingOf(field: string, schema: unknown, above: unknown[]): Naming[] {
  const bare = schema instanceof z.ZodOptional ? schema.unwrap() : schema
  if (bare === view.person || bare === view.maybePerson)
    return [
      (value, formerUser) => {
        if (value[field] === '') value[field] = formerUser()
      },
    ]
  const inner = inTurn(namingIn(bare, above))
  return inner ? [(value, formerUser) => value[field] !== undefined && inner(value[field], formerUser)] : []
}

function inTurn(all: Naming[]): Naming | undefined {
  if (all.length === 0) return undefined
  return (value, formerUser) => {
    for (const name of all) name(value, formerUser)
  }
}
