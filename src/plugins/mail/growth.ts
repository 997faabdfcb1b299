import { list } from '../../../tools/growth/list.ts'
import { listMails } from './mail.store.ts'

export default [
  list('mails', 'mails', (scope, part) => listMails(scope, {}, part)),
  list('mails', 'mails that were given up', (scope, part) => listMails(scope, { status: 'dead' }, part)),
]
