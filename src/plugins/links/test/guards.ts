import type { Kind } from '../../../../tools/guards/kinds.ts'

/** What a browser may do with the pages. */
const kinds: readonly Kind[] = [
  {
    kind: 'directive of a policy',
    in: 'src/plugins/links/links.pages.ts',
    pattern: /^ +["'`](?:[a-z]+-src|form-action|base-uri|frame-ancestors) [^\n]*,\n/gm,
    instead: '',
    noticedBy: ['src/plugins/links/test/link-pages.test.ts'],
  },
]
export default kinds
