import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VERSION } from '../../src/config/build.ts'
import { sbom } from '../../tools/sbom.ts'
import { expectNone } from '../support/expect-none.ts'
import { newFolder } from '../support/folder.ts'

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

test('a rehearsal of the release makes everything that it ships, and twice the same', () => {
  const folders = [1, 2].map(() => {
    const folder = newFolder()
    execFileSync(process.execPath, ['tools/release.ts', '--dry-run', '--out', folder], { stdio: 'pipe' })
    return folder
  })

  const sums = folders.map((folder) => readFileSync(join(folder, 'SHA256SUMS'), 'utf8'))
  expect(sums[1]).toBe(sums[0])
  expect(readdirSync(folders[0]!)).toEqual(
    expect.arrayContaining([
      ...['SHA256SUMS', `atrium-${VERSION}.cdx.json`, `atrium-client-${VERSION}.tgz`, 'notes.md', 'openapi.json'],
    ]),
  )
  expect(readFileSync(join(folders[0]!, 'notes.md'), 'utf8')).toContain('### Added')
})
