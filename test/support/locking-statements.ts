import { splitAtTop } from './migrations.ts'

/**
 * Statements of migrations that read or write a whole table while they keep others from it. PostgreSQL's documentation
 * of ALTER TABLE (Notes) and of explicit locking says which.
 */
interface MigrationText {
  name: string
  sql: string
}

/** What an `alter table` does for as long as the table has rows, by the text of one of its changes, and the cure. */
const CHANGES: [RegExp, string, string][] = [
  [
    /^add column\b.*\bgenerated always as\b.*\bstored\b/,
    'writes every row',
    'add a plain column, let the statements of the service fill it, and fill older rows in batches',
  ],
  [
    /^add column\b.*(\bserial\b|\bas identity\b|\bdefault (?!now\(\))[a-z_.]+\()/,
    'writes every row',
    'add the column without a default, set the default by a second change, and fill older rows in batches',
  ],
  [
    /^add column\b.*\b(references|check|unique|primary key)\b/,
    'reads every row',
    'add the column alone, and the constraint "not valid" in a change of its own',
  ],
  [
    /^alter (column )?\w+ (set data )?type\b|^alter (column )?\w+ set expression\b/,
    'writes every row',
    'add a second column, fill it in batches, and leave the first one to a later release',
  ],
  [
    /^alter (column )?\w+ set not null\b/,
    'reads every row',
    'add "check (… is not null) not valid", validate it in a later file, and set not null after that',
  ],
  [
    /^add (constraint \w+ )?(foreign key|check)\b(?!.*\bnot valid\b)/,
    'reads every row',
    'add it "not valid", and validate it in a later file that begins with "-- atrium: no transaction"',
  ],
  [
    /^add (constraint \w+ )?(unique|primary key|exclude)\b(?!.*\busing index\b)/,
    'builds an index',
    'build the index concurrently in an earlier file, and add the constraint "using index"',
  ],
  [
    /^set (logged|unlogged|tablespace|access method)\b/,
    'writes every row',
    'leave it to the operator, in a time without requests',
  ],
]

const STATEMENTS: [RegExp, string, string][] = [
  [
    /^create (?:unique )?index (?!concurrently)[^;]*?\bon (?:only )?(\w+)/,
    'builds an index',
    'build it concurrently, in a file of its own that begins with "-- atrium: no transaction"',
  ],
  [/^(?:cluster|vacuum full|lock(?: table)?)(?: only)? (\w+)/, 'keeps everyone out', 'leave it out'],
  [/^reindex (?:table|index) (?!concurrently)(\w+)/, 'builds an index', 'say "concurrently"'],
  [
    /^(?:update(?: only)?|delete from(?: only)?) (\w+)/,
    'holds every row that it changes until the end',
    'do it in batches that commit, by a do block in a file that begins with "-- atrium: no transaction"',
  ],
]

/**
 * Sentences about statements that hold a table which grows, with the place and the cure.
 * @param migrations in their order; what is made in a file is empty there
 * @param small tables that do not grow with use
 */
export function findLockingStatements(migrations: readonly MigrationText[], small: ReadonlySet<string>): string[] {
  const proved = new Set<string>()
  return migrations.flatMap(({ name, sql }) => {
    const statements = statementsIn(sql)
    const made = new Set(
      statements.flatMap(({ text }) => /^create table (?:if not exists )?(\w+)/.exec(text)?.[1] ?? []),
    )
    const grows = (table: string | undefined) => table !== undefined && !small.has(table) && !made.has(table)
    const say = (table: string, what: string, cure: string, text: string) =>
      `${name}: "${text.slice(0, 90)}" ${what} of ${table} while others wait: ${cure}`
    return [
      ...statements.flatMap(({ text, commits }) => {
        const [, altered, rest] = /^alter table (?:if exists )?(?:only )?(\w+) ([\s\S]*)/.exec(text) ?? []
        if (grows(altered))
          return splitAtTop(rest!, ',').flatMap((part) => {
            const change = part.trim()
            note(proved, altered!, change)
            if (isProved(proved, altered!, change)) return []
            const [, what, cure] = CHANGES.find(([pattern]) => pattern.test(change)) ?? []
            return what ? [say(altered!, what, cure!, `alter table ${altered} ${change}`)] : []
          })
        return STATEMENTS.flatMap(([pattern, what, cure]) => {
          const table = pattern.exec(text)?.[1]
          return grows(table) && !commits ? [say(table!, what, cure, text)] : []
        })
      }),
      ...validatedUnderLock(sql, statements, grows).map((table) =>
        say(
          table,
          'reads every row',
          'the locks of the other statements of this file are held meanwhile: give it a file of its own',
          `alter table ${table} validate constraint`,
        ),
      ),
    ]
  })
}

/** A column that a check proves needs no look at the rows when it is set not null. */
function note(proved: Set<string>, table: string, change: string): void {
  const [, check, column] = /^add constraint (\w+) check \((\w+) is not null\) not valid/.exec(change) ?? []
  if (check) proved.add(`${table}.${check}: ${column}`)
  const [, validated] = /^validate constraint (\w+)/.exec(change) ?? []
  for (const it of [...proved])
    if (validated && it.startsWith(`${table}.${validated}: `)) proved.add(`${table}.${it.split(': ')[1]}`)
}

function isProved(proved: ReadonlySet<string>, table: string, change: string): boolean {
  const [, column] = /^alter (?:column )?(\w+) set not null/.exec(change) ?? []
  return column !== undefined && proved.has(`${table}.${column}`)
}

/** A validation lets others write; the lock of another change in the same transaction does not. */
function validatedUnderLock(sql: string, statements: Statement[], grows: (table: string) => boolean): string[] {
  if (/^-- atrium: no transaction/.test(sql)) return []
  const changes = statements.filter(({ text }) => /^(alter table|create trigger|create table)/.test(text))
  return changes.flatMap(({ text }) => {
    const [, table] = /^alter table (\w+) validate constraint \w+$/.exec(text) ?? []
    return table && grows(table) && changes.length > 1 ? [table] : []
  })
}

interface Statement {
  /** in one line and small letters */
  text: string
  /** stands in a block that commits as it goes */
  commits: boolean
}

/** Those of do blocks too; bodies of functions are only kept. */
function statementsIn(sql: string): Statement[] {
  const plain = sql.replace(/--.*$/gm, '')
  const found: Statement[] = []
  const outside = plain.replace(/(\bdo\s+)?\$(\w*)\$([\s\S]*?)\$\2\$/gi, (_, isBlock, __, body: string) => {
    if (isBlock) found.push(...split(body, /\bcommit\s*;/i.test(body)))
    return "''"
  })
  return [...found, ...split(outside, false)]
}

/** In a block a statement may come after `then`, `loop`, `begin` or `else`. */
function split(text: string, commits: boolean): Statement[] {
  return splitAtTop(text, ';').map((statement) => ({
    text: statement
      .replace(/\s+/g, ' ')
      .trim()
      .toLowerCase()
      .replace(/^.*\b(?:begin|then|loop|else) (?=(?:alter|create|update|delete|lock|cluster|reindex|vacuum)\b)/, ''),
    commits,
  }))
}
