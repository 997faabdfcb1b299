import { type Atrium, createClient, type Me, type Options } from '../../client/index.ts'
import type { openGuide } from './guide.ts'
import type { Wire } from './wire.ts'

export type Tour = ReturnType<typeof openTour>

/** What every chapter needs. */
export function openTour(baseUrl: string, wire: Wire, guide: ReturnType<typeof openGuide>) {
  const password = 'a bench by the river'
  const clientOf = (options: Partial<Options> = {}) =>
    createClient({ baseUrl, ...options, fetch: wire.fetchFor(options.tenant) })
  return {
    ...guide,
    baseUrl,
    /** makes names differ from those of other runs */
    run: Date.now().toString(36),
    /** of everybody who is made on the way */
    password,
    clientOf,
    visitor: (tenant?: string) => clientOf({ ...(tenant && { tenant }) }),
    async signIn(sentence: string, username: string, secret = password, options: Partial<Options> = {}) {
      const person = clientOf(options)
      await guide.tell(sentence, () => person.signIn({ username, password: secret }), 200, whoIs)
      return person
    },
    /** A request that the client does not know, such as a page or SCIM. @param path from the root of the service */
    visit: (path: string, init?: RequestInit) => wire.fetchFor(undefined)(`${baseUrl}${path}`, init),
  }
}

export interface Person {
  client: Atrium
  id: number
}

/** Makes an account for somebody, who signs in. @param name what they are called, beside the run */
export async function newcomer(tour: Tour, admin: Atrium, name: string): Promise<Person & { username: string }> {
  const { tell, signIn, run, password } = tour
  const username = `${name}.${run}`
  const make = () => admin.createUser({ body: { username, nickname: `${name} ${run}`, password } })
  const { id } = await tell('The administrator makes an account for somebody,', make, 201, { roles: ['user'] })
  return { client: await signIn('… who signs in.', username), id, username }
}

export function whoIs({ username, tenantId, roles, permissions }: Me): string {
  return `${username} of tenant ${tenantId}, role ${roles}, ${permissions.length} permissions`
}

/** One item a line. */
export function lines<Item>(items: readonly Item[], line: (item: Item) => string): string {
  return items.map(line).join('\n') || 'none'
}

/** Sends a key, or a token, in place of a session. */
export function bearing(token: string) {
  return { headers: { authorization: `Bearer ${token}` } }
}
