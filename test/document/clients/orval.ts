import { createProject, listTasks, uploadFile } from '../generated/orval.ts'

export async function use(): Promise<string> {
  const created = await createProject(
    { name: 'Apollo', code: 'APOLLO', endDate: null },
    { headers: { 'Idempotency-Key': 'a new one' } },
  )
  if (created.status !== 201) throw new Error(created.data.error.type)
  const tasks = await listTasks(created.data.data.id, { priority: 'HIGH', pageSize: 50 })
  if (tasks.status !== 200) throw new Error(tasks.data.message)
  const file = await uploadFile({ file: new Blob(['a plan']) })
  return file.status === 201 ? file.data.data.url : (tasks.data.data[0]?.title ?? '')
}
