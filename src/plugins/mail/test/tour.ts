import { hasMailbox, mailTo } from '../../../../tools/tour/mailbox.ts'
import type { Part } from '../../../../tools/tour/parts.ts'

/** News of a task by mail, and a click that stops them. */
const part: Part = {
  shows: 'One click stops such mails',
  async tell({ chapter, tell, visit, baseUrl }, { admin, projectId, invited }) {
    // News go only to an address that somebody has shown to be theirs.
    if (!invited || !(await hasMailbox(baseUrl))) return
    const { client: reader, id, email } = invited
    chapter('Mail')
    await tell('They join the project,', () => admin.addProjectMember({ id: projectId, userId: id }), 200, {})
    const varnish = { title: 'Varnish the bench', assigneeId: id }
    const give = () => admin.createTask({ id: projectId, body: varnish })
    await tell('… get a task,', give, 201, { assigneeId: id })
    const stop = /\/mail\/unsubscribe\/[\w.~-]+/
    const news = () => mailTo(visit, email, stop)
    const heard = '… and a mail. In development mails go nowhere: they can be read here.'
    const [link] = await tell(heard, news, 200, ([link]) => `a link to stop mails: ${link.slice(0, 24)}…`)
    const off = () => visit(link, { method: 'POST' })
    await tell('One click stops such mails, without a sign-in.', off, 200, () => 'done')
    await tell('They get no more of them.', () => reader.getProfile(), 200, { mail: 'never' })
  },
}
export default part
