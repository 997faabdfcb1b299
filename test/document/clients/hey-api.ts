import { createProject, downloadFile, listBlogPosts, listTasks, login, updateTask } from '../generated/hey-api/index.ts'

export async function use(): Promise<number> {
  const { data, error } = await createProject({
    headers: { 'Idempotency-Key': 'a new one' },
    body: { name: 'Apollo', code: 'APOLLO' },
  })
  if (!data) throw new Error(`${error?.error.type}: ${error?.message}`)
  const { data: tasks } = await listTasks({ path: { id: data.data.id }, query: { status: 'TODO', page: 1 } })
  for (const { id, version, assigneeId } of tasks?.data ?? [])
    if (assigneeId === null) await updateTask({ path: { id }, body: { version, assigneeId: 9 } })
  const { data: bytes } = await downloadFile({ path: { tenantId: 1, filename: 'x.pdf' } })
  return bytes?.size ?? 0
}

/** A public page and a sign-in of another tenant, in Chinese. */
export const ofTenant = (code: string) =>
  Promise.all([
    listBlogPosts({ headers: { 'X-Tenant-Code': code, 'Accept-Language': 'zh-CN' } }),
    login({ headers: { 'X-Tenant-Code': code }, body: { username: 'ada', password: 'secret' } }),
  ])

// @ts-expect-error the key is required
export const forgotten = () => createProject({ body: { name: 'Apollo', code: 'APOLLO' } })
