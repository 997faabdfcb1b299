import type { components, operations, paths } from '../generated/openapi-typescript.ts'

type Created = operations['createProject']['responses'][201]['content']['application/json']
export const nameOf = (created: Created): string => created.data.name

export const key: paths['/api/v1/projects']['post']['parameters']['header']['Idempotency-Key'] = 'a new one'
export const id: operations['getTask']['parameters']['path']['id'] = 117

export const patch: components['schemas']['TaskPatch'] = { version: 3, status: 'DONE', assigneeId: null }
// @ts-expect-error a project has a code
export const nameless: components['schemas']['ProjectDraft'] = { name: 'Apollo' }
