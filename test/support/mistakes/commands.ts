import { matching, type Rule } from './rule.ts'

const IN_A_COMMAND = /\.(actions|rules|store)\.ts$/
const SECRET = String.raw`\w*(?:[hH]ash|[sS]ecret|[sS]ignature|[tT]oken)`
const LOG = String.raw`\blog(?:ger)?\.(?:trace|debug|info|warn|error|fatal)\(`

/** What a command may not do while it holds its rows, and what nobody may do with a secret. */
export const COMMANDS: readonly Rule[] = [
  {
    // Others wait for the rows of a transaction, and for its connection.
    what: 'a pause in a command',
    find: matching(
      /(?<!\.)\b(setTimeout|setImmediate|sleep)\(/g,
      ({ one }) =>
        `waits by ${one}, while others wait for its transaction: do it in tx.afterCommit(), or declare a job of the domain`,
      { files: IN_A_COMMAND },
    ),
    file: 'actions',
    wrong: [['  await sleep(100)', 'waits by sleep, while others wait']],
    right: ['socket.setTimeout(0)'],
  },
  {
    // It may take as long as it likes, and it cannot be undone if the command fails afterwards.
    what: 'a request to another service in a command',
    find: matching(
      /(?<![.\w])(fetch|requestOutside)\(/g,
      ({ one }) =>
        `asks another service by ${one}, while others wait for its transaction: do it in tx.afterCommit(), or in a job of the domain`,
      { files: IN_A_COMMAND },
    ),
    file: 'actions',
    wrong: [["  await fetch('https://hats.example.com')", 'asks another service by fetch']],
    right: ['  return store.fetch(1)'],
  },
  {
    what: 'chance that can be guessed',
    find: matching(
      /\bMath\.random\(\)/g,
      () =>
        'draws Math.random(), which others can guess: take nextId for an id, and randomBytes of node:crypto for a secret',
      { files: IN_A_COMMAND },
    ),
    wrong: [['const ticket = Math.random().toString(36)', 'draws Math.random(), which others can guess']],
  },
  {
    // It ends at the first letter that differs, so its time shows how many were right.
    what: 'a secret that is compared by ===',
    find: matching(
      new RegExp(
        String.raw`\b(${SECRET})\)?(?:\([^()\n]*\))? [!=]== (?!undefined|null|true|false|NO_|['"\d])|[!=]== (?:\w+[.?]+)*(${SECRET})\b`,
        'g',
      ),
      ({ one, two }) =>
        `compares ${one ?? two} by ===, whose time shows how much of it is right: compare hashes by isSameHash`,
    ),
    wrong: [
      ['if (hat.tokenHash !== hash) throw gone()', 'compares tokenHash by ==='],
      ['if (hashToken(given) === hat.mark) return hat', 'compares hashToken by ==='],
      ['if (given === hat.token) return hat', 'compares token by ==='],
    ],
    right: ['if (passwordHash !== undefined) return', 'return hash !== NO_PASSWORD', "typeof token === 'string'"],
  },
  {
    // The log leaves out what is called a password or a token; it cannot know what stands in a text.
    what: 'a secret in the log',
    find: matching(
      new RegExp(String.raw`${LOG}(?:\{[^}'\n]*?|${'`'}[^${'`'}]*?\$\{[^}]*?)\b(${SECRET}|\w*[pP]assword)\b`, 'g'),
      ({ one }) => `writes ${one} into the log, which many can read: leave it out`,
    ),
    wrong: [
      ["req.log.info({ id, password }, 'signed in')", 'writes password into the log'],
      [`log.warn(\`no hat for \${hat.token}\`)`, 'writes token into the log'],
    ],
    right: ["req.log.info({ id }, 'the token is old')", `log.warn(\`the token of \${name} is old\`)`],
  },
  {
    what: 'text in a statement',
    find: matching(
      /\bsql\.raw\(/g,
      () =>
        'puts text into a statement by sql.raw, which a request may have chosen: let the template take a value as a parameter, and a column by sql.ref',
    ),
    wrong: [['where(sql.raw(p.condition))', 'puts text into a statement by sql.raw']],
  },
  {
    what: 'an error that nobody hears of',
    find: matching(
      /\bcatch (?:\(\w+\) )?\{\s*\}/g,
      () => 'catches an error and says nothing: throw it again, log it, or write into the braces why nobody needs it',
    ),
    wrong: [['try {\n  wear(hat)\n} catch {}', 'catches an error and says nothing']],
    right: ['try {\n  wear(hat)\n} catch {\n  // It is worn already.\n}'],
  },
]
