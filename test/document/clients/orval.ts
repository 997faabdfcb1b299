// A first flow with the functions that orval makes, which call fetch with paths.
import { createProject, createTask, listEvents, login, updateTask, uploadFile } from '../generated/orval.ts'

declare const process: { env: { ATRIUM: string } }

let token = ''
const send = globalThis.fetch
globalThis.fetch = (path, init) => {
  const headers = new Headers(init?.headers)
  if (token) headers.set('authorization', `Bearer ${token}`)
  return send(new URL(String(path), process.env.ATRIUM), { ...init, headers })
}
/** The data of a success; a refusal is an error. */
function done<Data>(answer: { status: number; data: { data: Data | null; message: string } }): Data {
  if (answer.status >= 400) throw new Error(answer.data.message)
  return answer.data.data!
}

token = done(await login({ username: 'admin', password: 'admin123' })).accessToken
console.log('signed in')

const key = { 'Idempotency-Key': crypto.randomUUID() }
const project = done(await createProject({ name: 'Gemini', code: `G-${Date.now()}` }, { headers: key }))
console.log('made the project', project.name)

const { id, version } = done(await createTask(project.id, { title: 'Launch' }))
done(await updateTask(id, { version, title: 'Land' }))
const late = await updateTask(id, { version, title: 'Late' })
console.log('refused with', late.status === 409 && late.data.error.type)

const file = new File(['hello'], 'note.txt', { type: 'text/plain' })
console.log('uploaded', done(await uploadFile({ file })).originalName)

const events = done(await listEvents({ types: 'task.created', limit: 1000 }))
console.log('heard of', events.find(({ subject }) => subject.id === id)?.type)
