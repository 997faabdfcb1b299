import type { Breach } from '../exceptions.ts'
import { lineOf, type Source } from '../source.ts'

/** Not `new Date(instant)`, which only writes an instant in another way. */
const PROCESS_CLOCK = /\bnew Date\(\)|\bDate\.now\(/g

/** What is decided or stored goes by the clock of the database: that of a process may be wrong, and each has its own. */
export function findProcessClock(sources: readonly Source[]): Breach[] {
  return sources
    .filter(({ path }) => /\.(actions|rules|store|schemas)\.ts$/.test(path))
    .flatMap((source) => hits(source, PROCESS_CLOCK))
    .map(({ path, line, text }) => ({
      place: path,
      says: `${path}:${line} reads the clock of the process (${text}): use tx.now, or clock_timestamp() in a statement`,
    }))
}

const LOCAL_ZONE =
  /\.toLocale\w*\(|\.toDateString\(|\.toTimeString\(|\.(?:get|set)(?:Date|Day|Month|FullYear|Hours|Minutes|TimezoneOffset)\(|\bIntl\.DateTimeFormat\(/g

/** A day depends on where one is, and a server is nowhere: each place that forms one says UTC. */
export function findLocalZone(sources: readonly Source[]): Breach[] {
  return sources
    .flatMap((source) => hits(source, LOCAL_ZONE))
    .map(({ path, line, text }) => ({
      place: path,
      says: `${path}:${line} goes by the language or time zone of the machine (${text}): use toISOString(), or the getUTC… of the same name`,
    }))
}

function hits({ path, text }: Source, pattern: RegExp) {
  return [...text.matchAll(pattern)]
    .filter(({ index }) => !isComment(text, index))
    .map(({ 0: found, index }) => ({ path, line: lineOf(text, index), text: found }))
}

/** Whether a place of a text is in a comment that begins its line. */
export function isComment(text: string, at: number): boolean {
  return /^\s*(\*|\/\/|\/\*)/.test(text.slice(text.lastIndexOf('\n', at) + 1, at))
}
