/** `npm run bench -- [what] [options]`: the comparison with a server by hand, or one of the others by name. */
const OTHERS = ['content', 'growth', 'search', 'timing', 'uploads']

const [what] = process.argv.slice(2)
if (what && OTHERS.includes(what)) {
  process.argv.splice(2, 1)
  await import(`./${what}.ts`)
} else await import('./run.ts')
