import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export type Kind =
  | 'software'
  | 'engineering'
  | 'hardware'
  | 'operations'
  | 'process'
  | 'marketing'
  | 'people'
  | 'research'

/** The wording of a task: `{s}` stands for the subject. */
export interface Frame {
  title: string
  description: string | null
}

const text = parse(readFileSync(new URL('data/words.yaml', import.meta.url), 'utf8'))
const lines = (block: string): string[] => block.trim().split(/\s*\n\s*/)
type Moment = 'progress' | 'blocked' | 'done'
type Talk =
  | 'starting'
  | 'exchanges'
  | 'handingOver'
  | 'raising'
  | 'lowering'
  | 'postponing'
  | 'dropping'
  | 'leftBehind'
  | 'thanks'
  | 'adding'
  | 'slips'

export const frames = each<Kind, Frame[]>(text.frames, (block) => lines(block).map(frameOf))
/** What people say while they do this kind of work. */
export const moments = each<Kind, Record<Moment, string[]>>(text.moments, (place) => each(text.places[place], lines))
/** What they say about any work. */
export const talk = each<Talk, string[]>(text.talk, lines)
/** What is added to a title when the task turns out to be smaller. */
export const narrowings: string[] = text.narrowings

function each<Name extends string, Value>(record: Record<Name, any>, read: (value: any) => Value) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, read(value)])) as Record<Name, Value>
}

/** A title and what follows the bar. */
export function frameOf(line: string): Frame {
  const [title, description = null] = line.split(' | ')
  return { title: title!, description }
}

/** Puts the subject into a frame's text. */
export function about(subject: string, text: string): string {
  const bare = subject.replace(/^the /, '')
  return text.replaceAll('{s}', subject).replaceAll('{S}', bare.charAt(0).toUpperCase() + bare.slice(1))
}
