import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { commitOf, VERSION } from '../src/config/build.ts'
import { sha256 } from '../src/data/archive/sums.ts'
import { readWhole, writeGenerated } from './generate.ts'
import { breakingChanges } from './openapi/breaking.ts'
import { readLastRelease, writeLastRelease } from './openapi/last-release.ts'
import { sbom } from './sbom.ts'

/**
 * `npm run release`: makes what a release ships, in the folder `release` or that of `--out`, and publishes it: the image
 * under the name of `--image`, the client at npm, the files on the release page of the host. `--dry-run` publishes nothing.
 * `--promise` only makes the document and the migrations of this version those that later ones must not break.
 */
const TAG = `v${VERSION}`
const PLATFORMS = 'linux/amd64,linux/arm64'

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean' },
    promise: { type: 'boolean' },
    image: { type: 'string', default: 'atrium' },
    out: { type: 'string', default: 'release' },
  },
})
const OUT = values.out
if (values.promise) writeLastRelease()
else await release(values['dry-run'] === true, values.image)

async function release(isRehearsal: boolean, image: string): Promise<void> {
  const document = await readWhole()
  const problems = [...findProblems(document), ...(isRehearsal ? [] : findProblemsOfThePlace())]
  for (const problem of problems) console.error(`not released: ${problem}`)
  if (problems.length > 0) {
    process.exitCode = 1
    return
  }
  rmSync(OUT, { recursive: true, force: true })
  mkdirSync(OUT)
  write('notes.md', `${notesOf(VERSION)}\n`)
  write('openapi.json', document)
  write(`atrium-${VERSION}.cdx.json`, `${JSON.stringify(sbom(), null, 2)}\n`)
  await packClient()
  const shipped = readdirSync(OUT).sort()
  write('SHA256SUMS', shipped.map((name) => `${sha256(readFileSync(join(OUT, name)))}  ${name}\n`).join(''))
  process.stdout.write(readFileSync(join(OUT, 'SHA256SUMS')))
  if (canBuildImages()) buildImage(image, isRehearsal)
  else console.log('no image: there is no docker buildx here')
  if (isRehearsal) console.log(`${TAG} is in ${OUT}/ and was not published`)
  else publish()
}

/** Of a copy, so that nobody else in this checkout builds the same files meanwhile. */
async function packClient(): Promise<void> {
  await writeGenerated()
  const folder = mkdtempSync(join(tmpdir(), 'atrium-client-'))
  cpSync('client', folder, { recursive: true, filter: (path) => path !== join('client', 'dist') })
  run('node_modules/.bin/tsc', '-p', folder)
  run('npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', OUT, folder)
  rmSync(folder, { recursive: true })
}

function publish(): void {
  const shipped = readdirSync(OUT)
  const client = shipped.find((name) => name.endsWith('.tgz'))!
  run('npm', 'publish', '--provenance', '--access', 'public', join(OUT, client))
  const files = shipped.map((name) => join(OUT, name))
  run('gh', ...['release', 'create', TAG, '--notes-file', join(OUT, 'notes.md')], ...files)
}

/** What of the source is not ready. */
function findProblems(document: string): string[] {
  const { version: ofClient } = JSON.parse(readFileSync('client/package.json', 'utf8'))
  const last = readLastRelease()
  const isSameMajor = last.version.split('.')[0] === VERSION.split('.')[0]
  const broken = isSameMajor ? breakingChanges(last.document, JSON.parse(document)) : []
  return [
    ...(ofClient === VERSION ? [] : [`client/package.json has version ${ofClient}, and package.json ${VERSION}`]),
    ...(notesOf(VERSION) ? [] : [`CHANGELOG.md has no section [${VERSION}] with a date`]),
    ...broken.map((change) => `${change}, which ${last.version} promised`),
  ]
}

/** A release is made of a commit that everybody can see. */
function findProblemsOfThePlace(): string[] {
  const tags = read('git', 'tag', '--points-at', 'HEAD').split('\n')
  return [
    ...(read('git', 'status', '--porcelain') ? ['files differ from the commit'] : []),
    ...(tags.includes(TAG) ? [] : [`the commit has no tag ${TAG}`]),
  ]
}

/** The section of CHANGELOG about a version. */
function notesOf(version: string): string {
  const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m)
  const [title, ...lines] = (sections.find((text) => text.startsWith(`[${version}]`)) ?? '').split('\n')
  return /\d{4}-\d\d-\d\d/.test(title!) ? lines.join('\n').trim() : ''
}

function canBuildImages(): boolean {
  return spawnSync('docker', ['buildx', 'inspect']).status === 0
}

/** For two architectures, with a bill of materials and the provenance. */
function buildImage(image: string, isRehearsal: boolean): void {
  const target = isRehearsal ? ['--output', `type=oci,dest=${join(OUT, 'image.tar')}`] : ['--push']
  run(
    'docker',
    ...['buildx', 'build', '.', '--platform', PLATFORMS, '--sbom=true', '--provenance=mode=max'],
    ...[
      '--build-arg',
      `COMMIT=${commitOf()}`,
      '--build-arg',
      `SOURCE_DATE_EPOCH=${read('git', 'log', '-1', '--format=%ct')}`,
    ],
    ...['--tag', `${image}:${VERSION}`, ...target],
  )
}

function write(name: string, text: string): void {
  writeFileSync(join(OUT, name), text)
}

function read(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8' }).trim()
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: 'inherit' })
}
