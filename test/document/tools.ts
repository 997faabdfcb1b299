import { spawn } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve as resolvePath } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The document with all plug-ins pleases two linters; four generators make typed clients of it, which compile under
 * `strict` together with the code in `clients` that uses them; Bruno and Postman import it. Everything is written to a
 * temporary folder.
 */
const HERE = fileURLToPath(new URL('.', import.meta.url))
const DOCUMENT = join(HERE, 'openapi.json')
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

const folder = await mkdtemp(join(tmpdir(), 'atrium-document-'))
const made = (name: string) => join(folder, 'generated', name)
try {
  await cp(join(HERE, 'clients'), join(folder, 'clients'), { recursive: true })
  await symlink(join(HERE, 'node_modules'), join(folder, 'node_modules'))
  await cp(join(HERE, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  const passed = [
    ...(await Promise.all([
      run('redocly', 'redocly', 'lint', DOCUMENT, '--config', join(HERE, 'redocly.yaml')),
      run(
        'spectral',
        'spectral',
        'lint',
        DOCUMENT,
        '--ruleset',
        join(HERE, '.spectral.yaml'),
        '--fail-severity',
        'hint',
      ),
      run(
        'openapi-typescript',
        'openapi-typescript',
        DOCUMENT,
        // Else what has a default would have to be sent.
        '--default-non-nullable=false',
        '--output',
        made('openapi-typescript.ts'),
      ),
      run(
        'hey-api',
        'openapi-ts',
        '--input',
        DOCUMENT,
        '--output',
        made('hey-api'),
        '--client',
        '@hey-api/client-fetch',
      ),
      run('orval', 'orval', '--input', DOCUMENT, '--output', made('orval.ts'), '--client', 'fetch'),
      run(
        'swagger-typescript-api',
        'swagger-typescript-api',
        'generate',
        ...['--path', DOCUMENT, '--output', made('swagger-typescript-api'), '--name', 'api.ts', '--silent'],
      ),
      run('Bruno and Postman', process.execPath, join(HERE, 'imports.ts')),
    ])),
    await run('what they made compiles', 'tsc', '--project', folder),
  ]
  process.exitCode = passed.every(Boolean) ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Runs one of the tools of this package; what it says is shown when it fails. @returns whether it was content */
function run(name: string, command: string, ...args: string[]): Promise<boolean> {
  const start = performance.now()
  return new Promise((resolve) => {
    const child = spawn(resolvePath(HERE, 'node_modules/.bin', command), args, {
      cwd: folder,
      env: { ...process.env, ...OFFLINE },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const end = (ok: boolean) => {
      if (!ok) console.log(output)
      console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name}  ${((performance.now() - start) / 1000).toFixed(1)} s`)
      resolve(ok)
    }
    child.on('error', (error) => {
      output += error
      end(false)
    })
    child.on('close', (code) => end(code === 0))
  })
}
