import { Api, type Task, TaskStatus } from '../generated/swagger-typescript-api/api.ts'

export async function use(): Promise<Task[]> {
  const { api } = new Api({ baseUrl: 'http://localhost:8080' })
  const { data: signedIn } = await api.login({ username: 'admin', password: 'admin123' })
  const headers = { authorization: `Bearer ${signedIn.data.accessToken}`, 'idempotency-key': 'a new one' }
  const { data: created } = await api.createProject({ name: 'Apollo', code: 'APOLLO' }, { headers })
  const { data: tasks } = await api.listTasks(created.data.id, { status: TaskStatus.TODO }, { headers })
  return tasks.data
}
