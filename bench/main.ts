/** `npm run bench -- [what] [options]`: the comparison with a server by hand, or one of the others by name. */
const OTHERS = new Map(
  [
    'backlog',
    'console',
    'deliveries',
    'export',
    'growth/main',
    'mail',
    'neighbours/main',
    'table',
    'timing',
    'writes',
  ].map((file) => [file.replace('/main', ''), `./${file}.ts`]),
)

const [what = ''] = process.argv.slice(2)
const other = OTHERS.get(what)
if (other) process.argv.splice(2, 1)
await import(other ?? './run.ts')
