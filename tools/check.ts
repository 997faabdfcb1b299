import { spawn } from 'node:child_process'

/** `npm run check`: format, lint, types, unit and contract tests, side by side; no database. */
const CHECKS = [
  ['format and lint', 'biome', 'check', '.'],
  ['types', 'tsc', '--noEmit'],
  ['types of the client', 'tsc', '-p', 'client', '--noEmit'],
  ['unit and contract tests', 'vitest', 'run', '--project', 'quick'],
] as const

const results = await Promise.all(CHECKS.map(([name, command, ...args]) => run(name, command, args)))
for (const { name, ok, ms, output } of results) {
  if (!ok) console.log(output)
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name}  ${(ms / 1000).toFixed(1)} s`)
}
process.exit(results.every(({ ok }) => ok) ? 0 : 1)

function run(
  name: string,
  command: string,
  args: string[],
): Promise<{ name: string; ok: boolean; ms: number; output: string }> {
  return new Promise((resolve) => {
    const start = performance.now()
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ name, ok: false, ms: performance.now() - start, output: String(error) }))
    child.on('close', (code) => resolve({ name, ok: code === 0, ms: performance.now() - start, output }))
  })
}
