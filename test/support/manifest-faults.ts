import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newFolder } from './folder.ts'
import { TSC } from './programs.ts'

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const TERMS = '--noEmit --pretty false --strict --skipLibCheck --module esnext --moduleResolution bundler'

/** A resource of Kubernetes. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
}

/**
 * What the API of Kubernetes would not take: an unknown field, a value of a wrong type, a required field that is missing.
 * The compiler holds each manifest against `kubernetes-types`. Resources that an operator defines are not in there, and
 * are passed over.
 * @returns the complaints of the compiler, each behind the kind and the line
 */
export function manifestFaults(manifests: readonly Manifest[]): string[] {
  const held = manifests.filter(({ apiVersion }) => !apiVersion.startsWith('monitoring.coreos.com/'))
  const sources = held.map(sourceOf)
  const names = held.map((_, index) => `${index}.ts`)
  const folder = newFolder()
  symlinkSync(MODULES, join(folder, 'node_modules'), 'junction')
  for (const [index, name] of names.entries()) writeFileSync(join(folder, name), sources[index]!)
  const { status, stdout, error } = spawnSync(TSC, [...TERMS.split(' '), ...names], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (error) throw error
  const faults = [...stdout.matchAll(/^(\d+)\.ts\((\d+),\d+\): error \w+: (.*)/gm)].map(
    ([, index, line, complaint]) => {
      const text = sources[Number(index)]!.split('\n')[Number(line) - 1]!.trim()
      return `${held[Number(index)]!.kind}: ${text} ${complaint}`
    },
  )
  if (status !== 0 && faults.length === 0) throw new Error(`the compiler ended with ${status}: ${stdout}`)
  return faults
}

/** A module that gives the manifest the type of its kind, one field a line. */
function sourceOf(manifest: Manifest): string {
  const { apiVersion, kind } = manifest
  const group = apiVersion.includes('/') ? apiVersion.replace('.k8s.io/', '/') : `core/${apiVersion}`
  return `export const it: import('kubernetes-types/${group}').${kind} = ${JSON.stringify(manifest, null, 1)}`
}
