import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isStale, MISTAKES, type Mistake } from './mistakes.ts'
import { failuresIn } from './test/report.ts'

/**
 * `npm run prove:mistakes`: makes each mistake in a copy of the source, runs the part of the checks that has to report
 * it, and wants the sentence with the place and the cure. Mistakes for one part that can stand side by side are made
 * together. `npm run prove:mistakes -- list` makes only those whose description contains the word.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url))
const [WORD = ''] = process.argv.slice(2)
const TYPES = 'tsc --noEmit --pretty false --checkers 1 --incremental --tsBuildInfoFile .tsbuildinfo'
const TESTS = 'vitest run --reporter json --outputFile found.json'

const copy = mkdtempSync(join(tmpdir(), 'mistakes-'))
for (const path of execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0'))
  if (path && existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(copy, path))
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))

const tried = MISTAKES.filter(({ what }) => what.includes(WORD))
const stale = tried.filter(isStale)
for (const { what, path } of stale)
  console.log(`NOT MADE      ${what}\n              ${path} reads differently: correct \`from\``)
const unreported = [...stale, ...batches(tried.filter((mistake) => !stale.includes(mistake))).flatMap(findUnreported)]
rmSync(copy, { recursive: true })
console.log(`${tried.length} mistakes made, ${tried.length - unreported.length} reported`)
process.exitCode = unreported.length ? 1 : 0

/** Those of one part that change different places. */
function batches(mistakes: readonly Mistake[]): Mistake[][] {
  const found: Mistake[][] = []
  for (const mistake of mistakes) {
    const batch = found.find(
      ([first, ...rest]) =>
        first!.check === mistake.check &&
        ![first!, ...rest, mistake].some(({ alone }) => alone) &&
        isFree(mistake, [first!, ...rest]),
    )
    if (batch) batch.push(mistake)
    else found.push([mistake])
  }
  return found
}

/** Whether a mistake can be made after others, and leaves them as they are. */
function isFree(mistake: Mistake, others: readonly Mistake[]): boolean {
  const sameFile = others.filter(({ path }) => path === mistake.path)
  if (mistake.from === undefined) return sameFile.length === 0
  let text = readFileSync(join(copy, mistake.path), 'utf8')
  for (const { from, to = '' } of [...sameFile, mistake]) {
    const changed = text.replace(from!, to)
    if (changed === text) return false
    text = changed
  }
  return sameFile.every(({ to = '' }) => text.includes(to.replace('$1', '').trim()))
}

function findUnreported(batch: readonly Mistake[]): readonly Mistake[] {
  const undos = batch.map(make)
  const lines = run(batch[0]!.check)
  for (const undo of undos.reverse()) undo()
  return batch.filter(({ what, says }) => {
    const sentence = lines.find((line) => says.test(line))
    const shown = (sentence ?? lines.slice(0, 8).join('\n              ')).trim()
    console.log(`${sentence ? 'reported    ' : 'NOT REPORTED'}  ${what}\n              ${shown.slice(0, 400)}`)
    return sentence === undefined
  })
}

/** @returns the lines of what is found wrong */
function run(check: Mistake['check']): string[] {
  const project = /^(api|plugins)\//.test(check) ? 'api' : 'quick'
  const folder = check.startsWith('plugins/') ? 'src' : 'test'
  const line = check === 'types' ? TYPES : `${TESTS} --project ${project} ${folder}/${check}.test.ts`
  const [command, ...args] = line.split(' ')
  const env = { ...process.env, NO_COLOR: '1', GOGC: 'off' }
  const { stdout, stderr } = spawnSync(command!, args, { cwd: copy, encoding: 'utf8', env })
  const text = check === 'types' ? stdout : toldBy(join(copy, 'found.json')) || `${stdout}${stderr}`
  return text.split('\n').filter((line) => line.trim())
}

/** What each failed test is called, and what it says; a file that cannot be loaded says it for all of its tests. */
function toldBy(file: string): string {
  if (!existsSync(file)) return ''
  const report = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(file)
  return failuresIn(report, copy)
    .map(({ test = '', why }) => `${test}\n${why}`)
    .join('\n')
}

/** @returns what unmakes it */
function make({ path, from, to = '' }: Mistake): () => void {
  const file = join(copy, path)
  if (from === undefined) {
    writeFileSync(file, to)
    return () => rmSync(file)
  }
  const before = readFileSync(file, 'utf8')
  writeFileSync(file, before.replace(from, to))
  return () => writeFileSync(file, before)
}
