import type { Kind } from '../../../../tools/guards/kinds.ts'

/** What keeps requests to other systems on the public internet. */
const kinds: readonly Kind[] = [
  {
    kind: 'check of an address',
    in: 'src/{plugins/webhooks/sending/check-address,util/request-outside}.ts',
    pattern:
      /await lookedUp\([^\n]*|if \(!isPrivateAllowed\) assertPublicHost\(url\)|, \.\.\.\(!isPrivateAllowed && \{[^}]*\}\)/g,
    instead: '',
    noticedBy: ['src/plugins/webhooks/test/webhooks.test.ts'],
  },
]
export default kinds
