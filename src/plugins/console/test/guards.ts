import type { Kind } from '../../../../tools/guards/kinds.ts'

/** What a browser may do with the page. */
const kinds: readonly Kind[] = [
  {
    kind: 'directive of a policy',
    in: 'src/plugins/console/console.pages.ts',
    pattern: /^ +["'`](?:[a-z]+-src|form-action|base-uri|frame-ancestors) [^\n]*,\n/gm,
    instead: '',
    noticedBy: ['src/plugins/console/test/console.test.ts'],
  },
]
export default kinds
