import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sbom } from '../../tools/sbom.ts'
import { expectNone } from '../support/expect-none.ts'

const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, { version: string; dev?: true }>
}

test('the bill of materials names each package of production, with its checksum', () => {
  const installed = Object.entries(packages).filter(([path, { dev }]) => path && !dev)
  const bom = sbom()

  expect(bom.metadata.component).toMatchObject({ name: 'atrium', type: 'application' })
  const named = new Set(bom.components.map(({ name, version }) => `${name}@${version}`))
  const expected = installed.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)
  expect(expected.length).toBeGreaterThan(100)
  expectNone(expected.filter((name) => !named.has(name)).map((name) => `${name} is missing in npm run sbom`))
  expectNone(
    bom.components.filter(({ hashes = [] }) => hashes.length === 0).map(({ name }) => `${name} has no checksum`),
  )
})
