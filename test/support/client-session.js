import { createClient } from '@atrium/client'

/**
 * What an application does with the packed client, in whatever runs it: signs in, writes, sends a key that was used,
 * walks a list, takes a file up and down, hears of what happens, and signs out.
 */
export async function session(baseUrl) {
  const atrium = createClient({ baseUrl })
  const { username } = await atrium.signIn({ username: 'admin', password: 'admin123' })
  const code = `P-${Math.random().toString(36).slice(2)}`
  const project = await atrium.createProject({ body: { name: 'Apollo', code } })
  for (const title of ['Launch', 'Land']) await atrium.createTask({ id: project.id, body: { title } })
  const titles = []
  for await (const task of atrium.each.listTasks({ id: project.id, pageSize: 1 })) titles.push(task.title)
  const again = await atrium.createProject({ body: { name: 'Apollo', code } }).catch((error) => error.type)

  const stored = await atrium.uploadFile({ body: { file: new File(['hello'], 'note.txt', { type: 'text/plain' }) } })
  const [tenantId, filename] = stored.key.split('/')
  const file = await (await atrium.downloadFile({ tenantId: Number(tenantId), filename })).text()

  const leave = new AbortController()
  let first
  try {
    for await (const event of atrium.notifications({ signal: leave.signal })) {
      first = event.type
      leave.abort()
    }
  } catch {
    first = 'nothing'
  }
  await atrium.signOut()
  const after = await atrium.getMe().catch((error) => error.status)
  return { username, titles, again, file, first, after }
}
