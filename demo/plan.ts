/** What the content files say about a project; the story makes a history of it. */
export interface Plan {
  code: string
  name: string
  description: string
  /** decides how its tasks are worded and talked about */
  kind: Kind
  /** user names; the first one owns the project */
  crew: string[]
  /** first and last week of the project as planned, counted from the start of the story */
  weeks: [from: number, to: number]
  /** the week in which it was archived; absent where it still runs */
  archived?: number
  /** how many tasks it gets */
  tasks: number
  /** what the work is about: noun phrases that fill the frames of `words.ts` */
  subjects: string[]
  /** tasks of which there is only one; a description follows behind a bar */
  single: string[]
}

export type Kind =
  | 'software'
  | 'engineering'
  | 'hardware'
  | 'operations'
  | 'process'
  | 'marketing'
  | 'people'
  | 'research'

/** User names, separated by white space. */
export const crew = (text: string) => text.trim().split(/\s+/)
/** Noun phrases, separated by commas. */
export const subjects = (text: string) => text.trim().split(/\s*,\s*/)
/** One title a line. */
export const single = (text: string) => text.trim().split(/\s*\n\s*/)
