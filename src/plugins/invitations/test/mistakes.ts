import type { Mistake } from '../../../../tools/mistakes.ts'

const mistakes: readonly Mistake[] = [
  {
    what: 'a mail in one language',
    path: 'src/plugins/invitations/texts/zh.json',
    from: '"INVITATION": {',
    to: '"INVITATIONS": {',
    check: 'unit/texts',
    says: /the mail INVITATION has no text in zh-CN: write it beside that of the other language/,
  },
]
export default mistakes
