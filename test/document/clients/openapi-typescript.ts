// A first flow with openapi-fetch and the types that openapi-typescript makes.
import createClient from 'openapi-fetch'
import type { components, paths } from '../generated/openapi-typescript.ts'

declare const process: { env: { ATRIUM: string } }

const client = createClient<paths>({ baseUrl: process.env.ATRIUM })
const { data: session } = await client.POST('/api/v1/auth/login', { body: { username: 'admin', password: 'admin123' } })
client.use({
  onRequest({ request }) {
    request.headers.set('authorization', `Bearer ${session!.data.accessToken}`)
  },
})
console.log('signed in')

const { data: project } = await client.POST('/api/v1/projects', {
  params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
  body: { name: 'Gemini', code: `G-${Date.now()}` },
})
console.log('made the project', project!.data.name)

const { data: created } = await client.POST('/api/v1/projects/{id}/tasks', {
  params: { path: { id: project!.data.id } },
  body: { title: 'Launch' },
})
const { id, version } = created!.data
const change = (title: string) =>
  client.PUT('/api/v1/tasks/{id}', { params: { path: { id } }, body: { version, title } })
await change('Land')
const { error } = await change('Late')
console.log('refused with', error?.error.type)

const { data: file } = await client.POST('/api/v1/files', {
  body: { file: '' },
  bodySerializer: () => {
    const form = new FormData()
    form.set('file', new File(['hello'], 'note.txt', { type: 'text/plain' }))
    return form
  },
})
console.log('uploaded', file!.data.originalName)

const { data: events } = await client.GET('/api/v1/events', {
  params: { query: { types: 'task.created', limit: 1000 } },
})
console.log('heard of', events!.data.find(({ subject }) => subject.id === id)?.type)

// @ts-expect-error a project has a code
export const nameless: components['schemas']['ProjectDraft'] = { name: 'Apollo' }
