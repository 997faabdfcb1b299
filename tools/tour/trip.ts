import { type Atrium, createClient, type Me, type Options, type Task, type TaskStatus } from '../../client/index.ts'
import { type Guide, hold, openGuide } from './guide.ts'
import { openWire } from './wire.ts'

/** One walk through the service: its guide, its people, and what makes its names differ from those of other walks. */
export interface Trip extends Guide {
  run: string
  password: string
  /** Who is not signed in, on the pages of a tenant; by default the service's own. */
  visitor(tenant?: string): Atrium
  /** Signs in and tells about it. */
  signIn(sentence: string, credentials: Credentials, options?: Pick<Options, 'tenant' | 'session'>): Promise<Atrium>
}

interface Credentials {
  username: string
  password: string
}

export function openTrip(baseUrl: string): Trip {
  const wire = openWire(baseUrl)
  const guide = openGuide(wire)
  const clientOf = (options: Partial<Options>) =>
    createClient({ baseUrl, ...options, fetch: wire.fetchFor(options.tenant) })
  return {
    ...guide,
    run: Date.now().toString(36),
    password: 'a bench by the river',
    visitor: (tenant) => clientOf({ tenant }),
    async signIn(sentence, credentials, options = {}) {
      const person = clientOf(options)
      await guide.tell(sentence, () => person.signIn(credentials), 200, whoIs)
      return person
    },
  }
}

export function whoIs({ username, tenantId, roles, permissions }: Me): string {
  return `${username} of tenant ${tenantId}, role ${roles}, ${permissions.length} permissions`
}

/** Shows a task that stands as it should. */
export function stands(status: TaskStatus, version: number) {
  return (task: Task): string => {
    hold(task.status === status && task.version === version, `${status} at version ${version}`)
    return `task ${task.id}: ${task.status}, version ${task.version}`
  }
}
