import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { newFolder } from './folder.ts'
import { findProgram } from './programs.ts'

/** A program as it stands in a page. */
export interface Program {
  language: 'sh' | 'js' | 'python'
  text: string
}

/** The programs of a page, by the heading above them. */
export function openPage(file: string) {
  const programs: (Program & { name: string })[] = []
  let heading = ''
  for (const [, title, language, text] of readFileSync(file, 'utf8').matchAll(
    /^#+ (.*)$|^```(\w+)\n([\s\S]*?)^```$/gm,
  )) {
    if (title) heading = title
    else programs.push({ name: `${heading}: ${language}`, language: language as Program['language'], text: text! })
  }
  const taken = new Set<Program>()
  return {
    /** @param at which one, if there are several of the language */
    take(heading: string, language: Program['language'], at = 0): Program {
      const found = programs.filter(({ name }) => name === `${heading}: ${language}`)[at]
      if (!found) throw new Error(`There is no program in ${language} below ${heading}`)
      taken.add(found)
      return found
    },
    /** The names of those that nobody has taken. */
    left: () => programs.filter((program) => !taken.has(program)).map(({ name }) => name),
  }
}

const RUN = {
  sh: { file: 'program.sh', command: 'bash', needs: ['bash', 'curl', 'jq', 'openssl'] as const },
  js: { file: 'program.mjs', command: process.execPath, needs: [] as const },
  python: { file: 'program.py', command: 'python3', needs: ['python3'] as const },
}

/** Whether this machine has what programs of the language need. */
export function canRun(language: Program['language']): boolean {
  return RUN[language].needs.every((name) => findProgram(name))
}

/** A program that runs, in a folder of its own. */
export interface Running {
  child: ChildProcess
  folder: string
  stdout: string
  stderr: string
}

/** A folder for programs, in which the packages of this one are found. */
export function openFolder(): string {
  const folder = newFolder()
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Starts a program as a reader of the page would. @param folder its working directory */
export function start({ language, text }: Program, folder: string, env: Record<string, string>, args: string[] = []) {
  const { file, command } = RUN[language]
  // npx finds the same program, and takes longer than it.
  writeFileSync(
    join(folder, file),
    text.replaceAll('npx atrium', `'${process.execPath}' '${resolve('bin/atrium.js')}'`),
  )
  const child = spawn(command, [join(folder, file), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const running: Running = { child, folder, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    running.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    running.stderr += chunk
  })
  return running
}

/** Runs a program to its end. @returns what it printed @throws Error if it fails */
export async function run(program: Program, env: Record<string, string>, args: string[] = [], folder = openFolder()) {
  const running = start(program, folder, env, args)
  const [status] = await once(running.child, 'close')
  if (status !== 0) throw new Error(`${program.text}\nended with ${status}: ${running.stdout}${running.stderr}`)
  return running.stdout.trim()
}
