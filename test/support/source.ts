import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface SourceFile {
  /** from the root of the repository: `src/kernel/zod.ts` */
  path: string
  text: string
  /** the text without its comments */
  code: string
  imports: Import[]
}
export interface Import {
  /** a package, or a file from the root of the repository */
  from: string
  names: string
  isType: boolean
}

/** Every source file of the service and the appliance around it, or of a domain from outside. */
export function readSources(folder?: string): SourceFile[] {
  const cwd = folder ?? ROOT
  return globSync(folder ? '*.ts' : '{src,appliance}/**/*.ts', { cwd })
    .sort()
    .map((path) => {
      const text = readFileSync(join(cwd, path), 'utf8')
      const code = text.replace(/^\s*(\/\*\*[\s\S]*?\*\/|\/\/.*)$/gm, '')
      return { path, text, code, imports: importsOf(path, code) }
    })
}

function importsOf(path: string, code: string): Import[] {
  const found = code.matchAll(/(?:^|\s)(?:import|export)\s+(type\s)?([^'"]*?)\s?from '([^']+)'|import\('([^']+)'\)/g)
  return [...found].map(([, type, names, from, dynamic]) => ({
    from: resolveFrom(path, from ?? dynamic!),
    names: names ?? '',
    isType: type !== undefined,
  }))
}

function resolveFrom(path: string, from: string): string {
  return from.startsWith('.') ? normalize(join(dirname(path), from)) : from
}
