import type { Breach } from '../exceptions.ts'

/** A statement as it was built, in one of its shapes. */
export interface Built {
  /** its store and its name: `tasks.listTasks` */
  name: string
  /** how it was declared: `list`, `paginate` */
  verb: string
  intent: string
  text: string
}

/** A LIMIT, or the ids that the caller names. */
const BOUND = / limit |\bid"? = any/

/**
 * SQL that compiles, is a tenant's own, and is still wrong. Each rule reads the text that is sent, so it also sees what
 * a helper has assembled, and raw SQL.
 */
export function findUnboundedLists(statements: readonly Built[]): Breach[] {
  return statements
    .filter(({ verb, text }) => /^(list|lockAll)$/.test(verb) && !BOUND.test(topLevelOf(text)))
    .map(({ name }) => ({
      place: name,
      says: `${name} returns as many rows as there are: end it with .limit(), or make it a page with paginate`,
    }))
}

/** Two rows that are equal in what they are ordered by change places from page to page. A place is a row's number. */
export function findOrdersWithoutTieBreaker(statements: readonly Built[]): Breach[] {
  return statements.flatMap(({ name, text }) =>
    ordersIn(text)
      .filter((order) => !/"\w+"\."((\w+_)?id|place)"( asc| desc)?$/.test(order))
      .map((order) => ({
        place: name,
        says: `${name} is ordered by ${order}, in which rows can be equal: let the order end with an id`,
      })),
  )
}

/** A change names the row or the rows that it is for; what it changes of everything is said as an exception. */
export function findChangesWithoutId(statements: readonly Built[]): Breach[] {
  return statements.flatMap(({ name, text }) => {
    const change = changeIn(text)
    if (change === undefined || /\b(?!tenant_id\b)(\w+_)?(id|ctid)"? (=|in)/.test(conditionOf(change))) return []
    return {
      place: name,
      says: `${name} changes rows whose WHERE names no id: add .where('….id', '=', p.id)`,
    }
  })
}

/** A row that was read without a lock is changed only in the version that was read. */
export function findChangesWithoutVersion(statements: readonly Built[]): Breach[] {
  return statements
    .filter(
      ({ verb, text }) => verb === 'updateIfUnchanged' && !/"version" = \$/.test(conditionOf(changeIn(text) ?? '')),
    )
    .map(({ name }) => ({
      place: name,
      says: `${name} changes what was read without its version, so a change made meanwhile is lost: add .where('….version', '=', p.was)`,
    }))
}

/** Only a builder stamps the tenant: it quotes each name, and hand-written SQL does not. */
export function findTablesInRawSql(statements: readonly Built[], tables: ReadonlySet<string>): Breach[] {
  return statements.flatMap(({ name, text }) =>
    [...text.matchAll(/\b(?:from|join|into|update|using) (\w+)\b(?![.(])/g)]
      .filter(([, table]) => tables.has(table!))
      .map(([, table]) => ({
        place: `${name} ${table}`,
        says: `${name} names the table ${table} in a sql template, where its tenant is forgotten: build it by from('${table}')`,
      })),
  )
}

const SECRET = /"(\w+)"\."(\w*(?:password|hash|secret|salt)\w*)"/g

/** What must not leave is read only by statements that need it. */
export function findSecretsRead(statements: readonly Built[]): Breach[] {
  return statements.flatMap(({ name, text }) => {
    const [selected] = topLevelOf(text).split(/ from | returning /)
    const read = /^select/.test(text) ? selected! : (/ returning (.*)$/s.exec(text)?.[1] ?? '')
    return [...read.matchAll(SECRET)].map(([, table, column]) => ({
      place: `${name} ${column}`,
      says: `${name} reads ${table}.${column}, a secret: select the columns that are needed, without it`,
    }))
  })
}

/** What rows are ordered by, in the statement and in the windows that it is put together from. */
function ordersIn(text: string): string[] {
  return text
    .split(' order by ')
    .slice(1)
    .map((rest) =>
      topLevelOf(rest.slice(0, endOf(rest)))
        .split(/ limit | offset | for | rows /)[0]!
        .trim(),
    )
}

/** Where the parenthesis closes that began a text. */
function endOf(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && depth-- === 0) return at
  }
  return text.length
}

/** The text without what stands in parentheses. */
function topLevelOf(text: string): string {
  let depth = 0
  let top = ''
  for (const letter of text) {
    if (letter === '(') depth++
    if (depth === 0) top += letter
    if (letter === ')') depth--
  }
  return top
}

/** An UPDATE or a DELETE, also if it stands in a `with`. */
function changeIn(text: string): string | undefined {
  const [, inWith] = /^with "\w+" as \(((?:update|delete from) .*)\) select/s.exec(text) ?? []
  return inWith ?? (/^(update|delete from) /.test(text) ? text : undefined)
}

/** What has to be true of each row that is changed; of an OR neither side has to. */
function conditionOf(change: string): string {
  return topLevelOf(change).split(' where ')[1] ?? ''
}
