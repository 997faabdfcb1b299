import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { commitOf, VERSION } from '../src/config/build.ts'

/** A software bill of materials in CycloneDX, as far as this file needs its fields. */
export interface Sbom {
  metadata: { component: Component; [field: string]: unknown }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
  [field: string]: unknown
}
interface Component {
  'bom-ref': string
  name: string
  version: string
  hashes?: { alg: string; content: string }[]
  properties?: { name: string; value: string }[]
  [field: string]: unknown
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FLAGS = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
const OUTPUT_LIMIT = 2 ** 26

/**
 * The packages that production installs on any platform, with their versions, checksums and licences, from
 * package-lock.json. It needs npm 10 or newer, and neither node_modules nor a network.
 */
export function sbom(): Sbom {
  const bom: Sbom = JSON.parse(
    execFileSync('npm', ['sbom', ...FLAGS], { cwd: ROOT, maxBuffer: OUTPUT_LIMIT }).toString(),
  )
  // `npm sbom --omit dev` also drops packages that production and a development package share.
  const components = bom.components.filter((component) => !isForDevelopment(component))
  const product = productOf(bom)
  const refs = new Set([product, ...components].map((component) => component['bom-ref']))
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }))
  // Without a number and a time of its own, two builds of one commit write the same.
  const { serialNumber: _, ...rest } = bom
  const { timestamp: __, ...metadata } = bom.metadata
  return { ...rest, metadata: { ...metadata, component: product }, components, dependencies }
}

function isForDevelopment({ properties = [] }: Component): boolean {
  return properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')
}

/** npm names the product after the folder of the checkout, and does not know the commit. */
function productOf({ metadata: { component } }: Sbom): Component {
  const commit = commitOf()
  const { properties = [] } = component
  return {
    ...component,
    name: 'atrium',
    properties: commit ? [...properties, { name: 'atrium:commit', value: commit }] : properties,
  }
}

/** `npm run sbom`: writes the bill of materials of this version, which a release ships. */
if (import.meta.main) {
  const file = `atrium-${VERSION}.cdx.json`
  const bom = sbom()
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`)
  console.log(`${file}: ${bom.components.length} packages`)
}
