import { closingOf, lineOf, type Source } from '../source.ts'

/** How tests wait. Whatever the speed of the machine, a test gives the same verdict, and a passing one prints nothing. */
interface Place {
  index: number
  says: string
}

const NOW = String.raw`\b(?:performance|Date)\.now\(\)`
const UNTIL = 'use until() of test/support/patience.ts, or expect.poll()'

/** Of a text without any of these nothing more has to be known. */
const SUSPECT =
  /\bvi\s*\.(?:waitFor|waitUntil|setConfig)\b|\.now\(\)|\btimeout\b|\bconsole\s*\.|[\d_]MS?\s*,?\s*\)|, \d[\d_* ]*\)$/m

/** One sentence for each place at which a test counts on a quick machine, or prints. */
export function findImpatience(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) => {
    if (!SUSPECT.test(text)) return []
    const code = withoutWords(text)
    return [findOwnPatience, findDeadlines, findLimits, findDurations, findPrinting]
      .flatMap((find) => find(code))
      .sort((a, b) => a.index - b.index)
      .map(({ index, says }) => `${path}:${lineOf(text, index)} ${says}`)
  })
}

function findOwnPatience(code: string): Place[] {
  const found = code.matchAll(/\bvi\s*\.(?:waitFor|waitUntil|setConfig)\b/g)
  return [...found].map(({ index }) => ({ index, says: `has a patience of its own: ${UNTIL}` }))
}

/** Loops that await something until a moment is over. */
function findDeadlines(code: string): Place[] {
  return callsIn(code, /\b(?:for|while) \(/g)
    .filter(({ inside }) => new RegExp(NOW).test(inside) && /[<>]/.test(inside))
    .filter(({ inside, end }) => /\bawait\b/.test(inside + bodyAt(code, end)))
    .map(({ index }) => ({ index, says: `waits for a clock: ${UNTIL}` }))
}

/** The beginning of what a loop repeats. */
function bodyAt(code: string, end: number): string {
  return code[end] === ';' ? '' : code.slice(end, end + 200).split('\n\n')[0]!
}

/** Limits of a test, a hook or a poll: `{ timeout: … }`, or a number of ms after what it runs. */
function findLimits(code: string): Place[] {
  const isLimit = (said: string) => /^\{[^{}]*\btimeout\b/.test(said) || /^(?:\d[\w* ]*|[A-Z_]+_MS)$/.test(said)
  return callsIn(code, /\b(?:(?:test|describe|it)(?:\.\w+)*|(?:before|after)(?:All|Each)|expect\s*\.poll)\(/g)
    .filter(
      ({ inside, end }) => argumentsIn(inside).some(isLimit) || argumentsIn(secondCallAt(code, end)).some(isLimit),
    )
    .map(({ index }) => ({ index, says: 'has a limit of its own: leave it out, all tests have one patience' }))
}

/** What a clock says less what it said before, compared with a number. */
function findDurations(code: string): Place[] {
  const took = new RegExp(`${NOW}\\s* - `)
  return callsIn(code, /\bexpect\(/g)
    .filter(({ inside, end }) => {
      const [, bound] = /^\s*\.toBeLess\w+\(([^\n]*)/.exec(code.slice(end)) ?? []
      if (bound === undefined || isGenerous(bound, code)) return false
      const [, name] = /^(?:Math\.\w+\()?(\w+)\b/.exec(inside) ?? []
      return took.test(inside) || took.test(declarationOf(name!, code))
    })
    .map(({ index }) => ({
      index,
      says: 'holds a duration that a slow machine exceeds: compare with inTime() of test/support/patience.ts',
    }))
}

function isGenerous(bound: string, code: string): boolean {
  const isHeld = (text: string) => /\binTime\(/.test(text)
  return isHeld(bound) || bound.match(/[A-Za-z_]\w*/g)?.some((name) => isHeld(declarationOf(name, code))) === true
}

function declarationOf(name: string, code: string): string {
  return new RegExp(`\\b(?:const|let) ${name} = .*`).exec(code)?.[0] ?? ''
}

function findPrinting(code: string): Place[] {
  const found = code.matchAll(/(if \(HOLDS_FIGURES\)\s*)?\bconsole\s*\.(?:log|info|warn|error|debug|table)\(/g)
  return [...found]
    .filter(([, isAskedFor]) => !isAskedFor)
    .map(({ index }) => ({
      index,
      says: 'prints: put it into the message of what fails, or print it with FIGURES=1 by report()',
    }))
}

interface Call {
  index: number
  /** what is between its brackets */
  inside: string
  /** behind the closing one */
  end: number
}

/** What the pattern finds up to an opening bracket, and what follows up to the closing one. */
function callsIn(code: string, pattern: RegExp): Call[] {
  return [...code.matchAll(pattern)].map(({ index, 0: head }) => {
    const open = index + head.length
    const end = closingOf(code, open - 1) + 1
    return { index, inside: code.slice(open, end - 1), end }
  })
}

/** Of `test.each(…)(…)` the second brackets. */
function secondCallAt(code: string, end: number): string {
  return code[end] === '(' ? code.slice(end + 1, closingOf(code, end)) : ''
}

function argumentsIn(inside: string): string[] {
  const found: string[] = []
  let depth = 0
  let begin = 0
  for (let at = 0; at <= inside.length; at++) {
    if ('([{'.includes(inside[at] ?? ' ')) depth++
    if (')]}'.includes(inside[at] ?? ' ')) depth--
    if (at < inside.length && (depth > 0 || inside[at] !== ',')) continue
    found.push(inside.slice(begin, at).trim())
    begin = at + 1
  }
  return found
}

const COMMENT = String.raw`\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*`
const PATTERN = String.raw`(?<=[(,=:[!&|?{};\n]\s*)\/(?![*\/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^\/\\\n[])+\/[a-z]*`
const WORDS = String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"`
const TEMPLATE = '`(?:\\\\[\\s\\S]|\\$\\{(?:[^{}`]|`[^`]*`|\\{[^{}]*\\})*\\}|[^`\\\\])*`'

/** The code with nothing in its comments, strings and patterns; a string may be a program, which prints what it says. */
function withoutWords(text: string): string {
  return text.replace(new RegExp([COMMENT, PATTERN, WORDS, TEMPLATE].join('|'), 'gm'), (words) =>
    /^(\/\*|\/\/)/.test(words) ? words.replace(/[^\n]/g, ' ') : `'${words.slice(1, -1).replace(/[^\n]/g, '·')}'`,
  )
}
