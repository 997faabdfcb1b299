import { fileURLToPath } from 'node:url'
import { defaultsOfPlugins } from '../of-plugins.ts'

/** A kind of guards, and the tests that have to fail without one. */
export interface Kind {
  kind: string
  /** where they are: a glob below the root */
  in: string
  /** the whole of a guard */
  pattern: RegExp
  /** what is left of it: a text in which $1 is what the first group found, or a function of the whole */
  instead: string | ((whole: string) => string)
  /** globs below the root */
  noticedBy: string[]
}

const VERBS = fileURLToPath(new URL('../../src/data/sql/verbs.ts', import.meta.url))

/** In parentheses, with two more inside each other at most. */
const ARGUMENTS = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`

/** What keeps two commands apart. */
const OF_COMMANDS: Kind[] = (
  [
    ['row lock', /\.for(?:NoKey)?(?:Update|KeyShare|Share)\([^()]*\)(?:\s*\.skipLocked\(\))?/g, ''],
    ['advisory lock', new RegExp(`pg_try_advisory_xact_lock(${ARGUMENTS})`, 'g'), '($1 is not null)'],
    ['advisory lock', new RegExp(`pg_advisory_xact_lock(${ARGUMENTS})`, 'g'), '($1 is null)'],
    ['condition at commit', /(?<= = )requireAtCommit(?=\()/g, '((..._) => () => {})'],
    ['condition at commit', /(?<= = )updateIfUnchanged(?=\()/g, `(await import('${VERBS}')).write`],
    ['version that was read', /\.where\('\w+\.version', '=', p\.was\)/g, ''],
    ['claim of a key', /\bidempotent: true\b/g, 'idempotent: false'],
  ] as const
).map(([kind, pattern, instead]) => ({
  ...{ kind, pattern, instead, in: 'src/**/*.ts' },
  noticedBy: ['test/faults/interleavings.test.ts', '{test,src/plugins/*/test}/faults/{interleaved-*,*-races}.test.ts'],
}))

/** What a commit says to those that remember something of it. */
const OF_ANNOUNCEMENTS: Kind[] = [
  {
    kind: 'announcement',
    in: 'src/{domains,plugins}/**/*.store.ts',
    // Mail and webhooks only wake a worker, which comes by itself too.
    pattern: /(?<=\bannounces: )(?:'(?:content|roles|permissions)'|\(p\) => (?:\(\{[^}]*\}\)|\[[^\]]*\]))/g,
    instead: 'undefined',
    noticedBy: ['test/contract/announcements.test.ts'],
  },
  {
    kind: 'announcement to other processes',
    in: 'src/data/tx/announced.ts',
    pattern: /(?<=^ {4}if \([^\n]*\) )\w+\(tx, [^\n]*\)$/gm,
    instead: 'undefined',
    noticedBy: ['test/api/changes-from-elsewhere.test.ts'],
  },
  {
    kind: 'announcement in this process',
    in: 'src/data/tx/announced.ts',
    pattern: /database\.announcements\.publish\(.*\)/g,
    instead: 'void announcement',
    noticedBy: ['test/api/changes-from-elsewhere.test.ts'],
  },
]

/** What keeps tenants apart although a developer forgot something. */
const OF_ISOLATION: Kind[] = [
  /(?<=select t\.relname as name, )c\.relrowsecurity and /g,
  /(?<=select t\.relname as name, c\.relrowsecurity) and c\.relforcerowsecurity/g,
  / and p\.polcmd = '\*'(?=\n)/g,
  /\n +and pg_get_expr\(p\.polqual, p\.polrelid\) = pg_get_expr\(p\.polwithcheck, p\.polrelid\)/g,
  /Number\(permissive\) === 1 && /g,
  / && Number\(sound\) === 1/g,
  /(?<=\n {4})\.\.\.\(found\.\w+ \? \[[^\]]*\] : \[\]\),/g,
  /if \(!found\) return [^\n]*/g,
  /if \(rows\[0\]\.seen\) holes\.push[^\n]*/g,
].map((pattern) => ({
  ...{ kind: 'part of the proof', in: 'src/data/setup/isolation/row-security.ts', pattern, instead: '' },
  noticedBy: ['test/api/start-refuses-open-tables.test.ts'],
}))

/** What keeps a secret unreadable for those who read the database. */
const OF_SECRETS: Kind[] = [
  {
    kind: 'encryption',
    in: 'src/util/seal.ts',
    pattern: /seal\(text, place\) \{[\s\S]*?(?=\n {4}isOld)/g,
    instead: `seal: (text) => \`\${VERSION}.\${names[0]}.\${Buffer.from(text).toString('base64url')}\`,
    open: (sealed) => Buffer.from(sealed.split('.')[2], 'base64url').toString(),`,
    noticedBy: ['test/unit/seal.test.ts'],
  },
  {
    kind: 'place of a sealed text',
    in: 'src/util/seal.ts',
    pattern: /seal\(text, place\) \{[\s\S]*?(?=\n {4}isOld)/g,
    instead: (whole) => whole.replaceAll('.setAAD(Buffer.from(place))', ''),
    noticedBy: ['test/unit/seal.test.ts'],
  },
]

/** What keeps requests to other systems on the public internet. */
const OF_ADDRESSES: Kind[] = [
  {
    kind: 'check of an address',
    in: 'src/util/network.ts',
    pattern: /(?<=\n {2})if \((?:ip\.range|ipaddr\.isValid\(bare\))[^\n]*|if \(refused\) return [^\n]*/g,
    instead: '',
    noticedBy: ['test/unit/addresses.test.ts'],
  },
  {
    kind: 'check of an address',
    in: 'src/util/network.ts',
    pattern: /ip\.kind\(\) === 'ipv4' \|\| .*/g,
    instead: 'true',
    noticedBy: ['test/unit/addresses.test.ts'],
  },
]

export const KINDS: readonly Kind[] = [
  ...[...OF_COMMANDS, ...OF_ANNOUNCEMENTS, ...OF_ISOLATION, ...OF_SECRETS, ...OF_ADDRESSES],
  ...(await defaultsOfPlugins<readonly Kind[]>('test/guards.ts')).flat(),
]
