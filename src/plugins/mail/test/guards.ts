import type { Kind } from '../../../../tools/guards/kinds.ts'

/** What a browser may do with a page that a mail leads to. */
const kinds: readonly Kind[] = [
  {
    kind: 'directive of a policy',
    in: 'src/plugins/mail/pages/page.ts',
    pattern: /^ +["'`](?:[a-z]+-src|form-action|base-uri|frame-ancestors) [^\n]*,\n/gm,
    instead: '',
    noticedBy: ['src/plugins/mail/test/mail-pages.test.ts'],
  },
]
export default kinds
