import { accessSync, constants, existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { expectNone } from '../support/expect-none.ts'

/** The files that a hosting site, an editor or a bot reads, and that nothing else would miss. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** All of them can be left out, and their folder with them. */
const PLUGINS = 'src/plugins/'

test('the map in the README names what is there, and each folder of src', () => {
  const [, map] = /```text\nsrc\/\n([\s\S]*?)```/.exec(read('README.md'))!
  const lines = map!.split('\n').filter((line) => /\S/.test(line))
  const inSrc = lines.filter((line) => line.startsWith('  ')).map((line) => `src/${line.trim().split(/\s/)[0]}`)
  const atTop = lines
    .filter((line) => !line.startsWith('  '))
    .flatMap((line) => line.match(/\b[a-z]+(\/[a-z]+)?\/(?=\s)/g)!)
  const folders = globSync('src/*/', { cwd: ROOT }).map((path) => `${path.replace(/\/$/, '')}/`)

  expectNone(
    [...inSrc, ...atTop]
      .filter((path) => path !== PLUGINS && !existsSync(join(ROOT, path)))
      .map((path) => `${path} is gone`),
  )
  expectNone(folders.filter((path) => !inSrc.includes(path)).map((path) => `${path} is missing in the map`))
})

test('the README stays short: what a newcomer needs after the first hour is in docs', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThan(130)
})

test('the workflow of the hosted CI runs what .ci/run runs', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml'))
  const steps = Object.values<any>(jobs).flatMap((job) => job.steps)

  expect(steps.map(({ run }) => run)).toContain('.ci/run')
  accessSync(join(ROOT, '.ci/run'), constants.X_OK)
})

test('a tag of a version runs .ci/run before it is released', () => {
  const { on, jobs } = parse(read('.github/workflows/release.yml'))
  const runs = Object.values<any>(jobs).flatMap((job) => job.steps.flatMap(({ run }: any) => run ?? []))

  expect(on.push.tags).toEqual(['v*.*.*'])
  expect(runs.filter((run: string) => /^(\.ci\/run|npm run release)\b/.test(run))).toEqual([
    '.ci/run',
    expect.stringMatching(/^npm run release -- --image \S/),
  ])
})

describe('an issue form', () => {
  const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: ROOT }).filter((path) => !path.endsWith('config.yml'))

  test.each(forms)('%s asks questions with ids of their own', (path) => {
    const { name, description, body } = parse(read(path))
    const ids = body.filter(({ type }: any) => type !== 'markdown').map(({ id }: any) => id)

    expect({ name, description }).toEqual({ name: expect.any(String), description: expect.any(String) })
    expect(ids.length).toBeGreaterThan(0)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('leads security problems to a private report', () => {
    const { contact_links } = parse(read('.github/ISSUE_TEMPLATE/config.yml'))
    expect(contact_links.map(({ name }: any) => name)).toContain('Security problem')
  })
})

test('images and actions are kept up to date and pinned by digest', () => {
  const { extends: presets } = JSON.parse(read('.github/renovate.json'))
  expect(presets).toEqual(expect.arrayContaining(['docker:pinDigests', 'helpers:pinGitHubActionDigests']))
})

test('each image is named by its digest', () => {
  const built = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!)
  const { services } = parse(read('compose.yaml'), { merge: true })
  const run = Object.values<any>(services).flatMap(({ build, image }) => (build ? [] : [image as string]))
  const images = [...new Set([...built, ...run])]

  expect(images.length).toBeGreaterThan(2)
  expectNone(
    images
      .filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))
      .map(
        (image) => `${image} can change under its tag; add @sha256:… as \`docker buildx imagetools inspect\` prints it`,
      ),
  )
})
