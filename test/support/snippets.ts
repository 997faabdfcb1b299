import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { parseAllDocuments } from 'yaml'
import { newFolder } from './folder.ts'
import { findProgram } from './programs.ts'
import { lineOf } from './source.ts'

/** A text in a language: a fenced block of a page, or a whole file. */
export interface Snippet {
  /** names it in messages: `docs/scaling.md:123` */
  place: string
  language: string
  text: string
}

/** The fenced blocks of a page. One without a language has the language ''. */
export function snippetsOf(path: string, page: string): Snippet[] {
  const blocks = page.matchAll(/^( *)```(\w*)[^\n]*\n([\s\S]*?)^\1```$/gm)
  return [...blocks].map(({ index, 2: language, 3: text }) => ({
    place: `${path}:${lineOf(page, index)}`,
    language: language!,
    text: text!,
  }))
}

/** @returns why a text is not of the language; undefined if it is, or if this machine cannot say */
type Check = (text: string) => string | undefined | Promise<string | undefined>

/** How each language is parsed. `…` stands for what a page leaves out. */
const CHECKS: Record<string, Check> = {
  sh: (text) => (findProgram('bash') ? readBy('bash', ['-n', '-s'], text) : undefined),
  python: (text) =>
    findProgram('python3')
      ? readBy('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], text)
      : undefined,
  js: (text) => thrownBy(() => parseAst(withoutGaps(text), { lang: 'js' })),
  ts: (text) => thrownBy(() => parseAst(withoutGaps(text), { lang: 'ts' })),
  json: (text) => thrownBy(() => JSON.parse(text.replace(/, …(?= ")/g, ',').replace(/, …(?=[}\]])/g, ''))),
  yaml: (text) => parseAllDocuments(text).flatMap((document) => document.errors ?? [])[0]?.message,
  sql: (text) =>
    openIn(text.replace(/--.*/g, '')) ?? (/;\s*$/.test(text) ? undefined : 'the last statement has no end'),
  nginx: (text) => (findProgram('nginx') ? readByNginx(text) : openIn(text)),
  dockerfile: (text) => text.split('\n').find((line) => !/^([A-Z]+ \S.*)?$/.test(line)),
  ini: (text) => text.split('\n').find((line) => !/^([A-Z]\w*=.*)?$/.test(line)),
  // A drawing, or what a program prints.
  text: () => undefined,
}

/** The mistakes of syntax in some snippets, each a sentence with its place. */
export async function mistakesIn(snippets: readonly Snippet[]): Promise<string[]> {
  const found = snippets.map(async ({ place, language, text }) => {
    const check = CHECKS[language]
    if (!check) return `${place} is in "${language}": say in test/support/snippets.ts how it is parsed`
    const mistake = await check(text)
    return mistake && `${place} is no ${language}: ${mistake.trim().replace(/\s*\n\s*/g, ' ')}`
  })
  return (await Promise.all(found)).filter((mistake) => mistake !== undefined)
}

/** In a list or an object the gap is a part of it; on a line of its own it is nothing. */
export function withoutGaps(code: string): string {
  return code.replace(/^\s*…\s*$/gm, '').replaceAll('…', '...more')
}

function thrownBy(parse: () => unknown): string | undefined {
  try {
    parse()
  } catch (error) {
    return (error as Error).message
  }
}

function readBy(program: string, args: string[], text: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = execFile(program, args, (error, _, said) => resolve(error ? said || error.message : undefined))
    child.stdin!.on('error', () => {}).end(text)
  })
}

/** nginx itself reads it, as part of a server beside an upstream `atrium`. */
function readByNginx(text: string): string | undefined {
  const folder = newFolder()
  const file = join(folder, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
  const around = `pid ${folder}/pid; events {}\nhttp { access_log off; ${paths.join(' ')} upstream atrium { server 127.0.0.1:1; }`
  writeFileSync(file, `${around} server {\n${text}\n} }`)
  const { status, stderr } = spawnSync(findProgram('nginx')!, ['-t', '-q', '-e', 'stderr', '-c', file], {
    encoding: 'utf8',
  })
  return status === 0 ? undefined : stderr
}

const CLOSED_BY: Record<string, string> = { '(': ')', '{': '}', '[': ']' }

/** The first bracket or quote of a text that is never closed, or closes nothing. */
function openIn(text: string): string | undefined {
  const bare = text.replace(/'[^']*'|"[^"]*"/g, '')
  const open: string[] = []
  for (const [sign] of bare.matchAll(/[(){}[\]'"]/g)) {
    if (sign in CLOSED_BY) open.push(CLOSED_BY[sign]!)
    else if (sign !== open.pop()) return `${sign} is alone`
  }
  return open[0] && `${open[0]} is missing`
}
