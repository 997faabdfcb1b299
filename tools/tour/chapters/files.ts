import { type Atrium, addressOf } from '../../../client/index.ts'
import type { Tour } from '../cast.ts'
import { expect } from '../guide.ts'

interface People {
  admin: Atrium
  clerk: Atrium
  clerkId: number
  guest: Atrium
}

/** A file, who sees it, and what holds it. @returns its address */
export async function tellFiles(
  tour: Tour,
  { admin, clerk, clerkId, guest }: People,
  place: { projectId: number; taskId: number },
) {
  const { chapter, tell, refused } = tour

  chapter('A file')
  const text = 'Bench, green.\nTwo tins of paint, one brush.\nLet it dry for a day.\n'
  const upload = (content: string, name: string) => () =>
    clerk.uploadFile({ body: { file: new File([content], name) } })
  const file = await tell('A list is uploaded.', upload(text, 'To do at the river.txt'), 201, { size: text.length })
  const address = addressOf(file)
  const download = (headers?: Record<string, string>) => () => admin.downloadFile(address, { headers })
  await tell('It comes back as it was sent,', download(), 200, async (answer) => {
    expect((await answer.text()) === text, 'the very text')
    return `${answer.headers.get('content-type')}; ${answer.headers.get('content-disposition')}`
  })
  await tell('… in part,', download({ Range: 'bytes=0-12' }), 206, async (answer) => {
    const part = await answer.text()
    expect(part === 'Bench, green.', 'the first thirteen bytes')
    return `${answer.headers.get('content-range')}: “${part}”`
  })
  const known = download({ 'If-None-Match': `"${file.sha256}"` })
  const tagOf = ({ headers }: Response) => `ETag ${headers.get('etag')!.slice(0, 13)}…"`
  await tell('… or not at all, where it is known already.', known, 304, tagOf)
  const script = upload('<script>alert(1)</script>', 'holiday.png')
  await refused('A page with a script is no picture, whatever its name says.', script, [415, 'UNSUPPORTED_MEDIA_TYPE'])
  const guess = () => guest.downloadFile(address)
  await refused('Strangers who registered themselves see no files,', guess, [404, 'NOT_FOUND'])
  const joins = () => admin.addProjectMember({ id: place.projectId, userId: clerkId })
  await tell('… but once the clerk has joined the project', joins, 200, {})
  const onTask = { resourceType: 'task', resourceId: place.taskId } as const
  await tell('… and attached it to the task,', () => clerk.attachFile({ ...address, body: onTask }), 200, onTask)
  await tell('… those who see the task see its files.', () => guest.listFiles(onTask), 200, { length: 1 })
  const use = () => clerk.deleteFile(address)
  await refused('What is in use is not deleted.', use, [409, 'FILE_IN_USE'])
  return address
}
