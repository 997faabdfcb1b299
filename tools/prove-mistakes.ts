import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MISTAKES, type Mistake } from './mistakes/mistakes.ts'

/**
 * `npm run prove:mistakes`: makes each mistake in a copy of the source, runs the part of `npm run check` that has to tell
 * of it, and wants the sentence with the place and the cure.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url))
const CHECKS = {
  types: 'tsc --noEmit --pretty false --checkers 1',
  tests: 'vitest run --project quick --dir test/contract --reporter tools/check/briefly.ts',
}
const COPIED = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean)

const copy = mkdtempSync(join(tmpdir(), 'mistakes-'))
for (const path of COPIED) if (existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(copy, path))
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))

const untold = MISTAKES.filter((mistake) => !isTold(mistake))
rmSync(copy, { recursive: true })
console.log(`${MISTAKES.length} mistakes made, ${MISTAKES.length - untold.length} told`)
process.exitCode = untold.length ? 1 : 0

function isTold(mistake: Mistake): boolean {
  const { what, check, says } = mistake
  const undo = make(mistake)
  const [command, ...args] = CHECKS[check].split(' ')
  const { stdout, stderr, status } = spawnSync(command!, args, {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  undo()
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.trim())
  const sentence = lines.find((line) => says.test(line))
  const isTold = status !== 0 && sentence !== undefined
  console.log(
    `${isTold ? 'told    ' : 'NOT TOLD'}  ${what}\n          ${(sentence ?? lines.slice(0, 8).join('\n          ')).trim()}`,
  )
  return isTold
}

/** @returns what unmakes it */
function make({ what, path, from, to }: Mistake): () => void {
  const file = join(copy, path)
  if (from === undefined) {
    writeFileSync(file, to)
    return () => rmSync(file)
  }
  const before = readFileSync(file, 'utf8')
  const after = before.replace(from, to)
  if (after === before) throw new Error(`The mistake cannot be made any more, ${path} reads differently: ${what}`)
  writeFileSync(file, after)
  return () => writeFileSync(file, before)
}
