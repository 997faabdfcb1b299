import { list } from '../../../tools/growth/list.ts'
import { listMails } from './mail.store.ts'

export default [
  list('mails', 'mails', listMails, {}),
  list('mails', 'mails that were given up', listMails, { status: 'dead' }),
]
