import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util'
import {
  type Command,
  type Commands,
  type Given,
  type Group,
  Misunderstood,
  type Option,
  table,
} from '../../src/atrium/command-line.ts'

/**
 * Finds the command that the words name, reads its options and runs it, or prints the help for the words given. Node
 * parses the options; the rest stands here because commander would give untyped options and other error messages.
 * @returns the exit code
 * @throws Misunderstood
 */
export async function runCommand(
  tree: Group,
  words: readonly string[],
  print: (text: string) => void,
): Promise<number> {
  const path = ['atrium']
  let at: Command | Group = tree
  const rest = [...words]
  while ('commands' in at) {
    const word = rest.shift()
    if (word === undefined || isHelp(word)) {
      print(helpOfGroup(path, at))
      return word === undefined ? 2 : 0
    }
    if (!Object.hasOwn(at.commands, word))
      throw new Misunderstood(`There is no command ${[...path, word].join(' ')}.\n\n${helpOfGroup(path, at)}`)
    at = at.commands[word]!
    path.push(word)
  }
  const until = rest.indexOf('--')
  if (rest.slice(0, until < 0 ? undefined : until).some(isHelp)) {
    print(helpOf(path, at))
    return 0
  }
  const { options, operands } = read(path, at, rest)
  const result = await at.run(options, ...operands)
  return typeof result === 'number' ? result : 0
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h' || word === 'help'
}

function read(path: string[], { options = {}, operands = [] }: Command, words: string[]) {
  const parsed = understood(path, () =>
    parseArgs({ args: words, options: options as Record<string, ParseArgsOptionDescriptor>, allowPositionals: true }),
  )
  const needed = operands.filter((name) => !name.startsWith('['))
  if (parsed.positionals.length < needed.length || parsed.positionals.length > operands.length)
    throw new Misunderstood(
      `${path.join(' ')} takes ${operands.join(' ') || 'no more words'}.\nSee: ${path.join(' ')} --help`,
    )
  return { options: parsed.values as Given<any>, operands: parsed.positionals }
}

function understood<T>(path: string[], parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new Misunderstood(`${(error as Error).message}\nSee: ${path.join(' ')} --help`)
  }
}

function helpOfGroup(path: string[], { about, commands }: Group): string {
  const rows = Object.entries(commands).flatMap(([name, it]) =>
    'commands' in it
      ? Object.entries(it.commands).map(([inner, { about }]) => [`${name} ${inner}`, about] as const)
      : [[name, it.about] as const],
  )
  return `${about}\n\n${table(rows.map(([name, what]) => [`${path.join(' ')} ${name}`, what]))}\n\nMore about each with --help.`
}

function helpOf(path: string[], { about, detail, operands = [], options = {} }: Command): string {
  const usage = [...path, ...operands, ...(Object.keys(options).length ? ['[options]'] : [])].join(' ')
  const rows = Object.entries<Option>(options).map(
    ([name, { about, value }]) => [`--${name}${value ? ` ${value}` : ''}`, about] as const,
  )
  return [about, `  ${usage}`, ...(detail ? [detail] : []), ...(rows.length ? [table(rows)] : [])].join('\n\n')
}

/** Groups of the same name become one. */
export function joined(some: Commands, more: Commands): Commands {
  const all = { ...some }
  for (const [name, it] of Object.entries(more)) {
    const known = all[name]
    if (known === undefined) all[name] = it
    else if ('commands' in known && 'commands' in it)
      all[name] = { ...known, commands: joined(known.commands, it.commands) }
    else throw new Error(`Two domains have a command ${name}`)
  }
  return all
}
