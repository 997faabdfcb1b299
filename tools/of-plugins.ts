import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** The files of this name in the folders of plug-ins, by their paths from the root. @param name as `console/extension.ts` */
export function filesOfPlugins(name: string): string[] {
  return globSync(`src/plugins/*/${name}`, { cwd: ROOT }).sort()
}

/** What those files export as their default. */
export function defaultsOfPlugins<T>(name: string): Promise<T[]> {
  return Promise.all(
    filesOfPlugins(name).map(async (path) => (await import(/* @vite-ignore */ `${ROOT}${path}`)).default as T),
  )
}
