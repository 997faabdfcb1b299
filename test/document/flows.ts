import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withService } from './service.ts'

/**
 * Clients in TypeScript, Python and Go, made of the document by others' generators, go through a first flow with the
 * service: sign in, a project with a key, a task, a conflict as a typed error, an upload, events. What cannot be installed
 * here is reported, and its client is left out.
 */
const HERE = fileURLToPath(new URL('.', import.meta.url))
const NODE_MODULES = join(HERE, 'node_modules')
/** What is installed of other languages, beside the packages of npm. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/atrium/clients/', import.meta.url))
const ENVIRONMENT = {
  ...process.env,
  PATH: [join(CACHE, 'bin'), join(NODE_MODULES, '.bin'), process.env.PATH].join(delimiter),
  GOBIN: join(CACHE, 'bin'),
  DOCUMENT: join(HERE, 'openapi.json'),
  // Without the events that webhooks send, which it would write over `listEvents`.
  GENERATE: 'openapi-generator-cli generate --global-property apis,models,supportingFiles,apiTests=false -i',
}
const SAID =
  'signed in\nmade the project Gemini\nrefused with VERSION_CONFLICT\nuploaded note.txt\nheard of task.created\n'

/** Of what a failed one has printed. */
const MOST_CHARACTERS = 4000

const INSTALL_PYTHON = `python3 -m venv '${CACHE}' && pip install --quiet openapi-python-client==0.29.1 \
  openapi-generator-cli==7.26.0 python-dateutil urllib3 pydantic`
const INSTALL_OAPI_CODEGEN = 'go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'

/** Commands of a shell, in a folder that `clients` was copied into. */
interface Generator {
  /** programs that have to be there */
  needs: string
  /** what installs those that can be */
  install?: string
  make: string
  flow: string
}

const GENERATORS: Record<string, Generator> = {
  'openapi-typescript': {
    needs: 'openapi-typescript',
    make: 'openapi-typescript "$DOCUMENT" --default-non-nullable=false --output generated/openapi-typescript.ts',
    flow: 'node --no-warnings clients/openapi-typescript.ts',
  },
  orval: {
    needs: 'orval',
    make: 'orval --input "$DOCUMENT" --output generated/orval.ts --client fetch',
    flow: 'node --no-warnings clients/orval.ts',
  },
  'openapi-python-client': {
    needs: 'openapi-python-client',
    install: INSTALL_PYTHON,
    make: 'openapi-python-client generate --path "$DOCUMENT" --output-path clients/atrium --meta none',
    flow: 'python3 clients/openapi-python-client.py',
  },
  'OpenAPI Generator for Python': {
    needs: 'openapi-generator-cli java',
    install: INSTALL_PYTHON,
    make: '$GENERATE "$DOCUMENT" -g python -o clients',
    flow: 'python3 clients/openapi-generator.py',
  },
  'OpenAPI Generator for Go': {
    needs: 'openapi-generator-cli java go',
    install: INSTALL_PYTHON,
    make: `$GENERATE "$DOCUMENT" -g go -o atrium --additional-properties enumClassPrefix=true,withGoMod=false
      cd atrium && go mod init atrium && mkdir flow && mv ../clients/openapi-generator.go flow/main.go && go mod tidy`,
    flow: 'cd atrium && go run ./flow',
  },
  'oapi-codegen': {
    needs: 'oapi-codegen go',
    install: INSTALL_OAPI_CODEGEN,
    make: `mkdir flow && mv clients/oapi-codegen.* flow && cd flow && oapi-codegen -config oapi-codegen.yaml "$DOCUMENT"
      go mod init flow && go mod tidy`,
    flow: 'cd flow && go run .',
  },
}

const passed = await withService(async (address, folder) =>
  Object.entries(GENERATORS).map(([name, generator], at) => check(name, generator, join(folder, String(at)), address)),
)
process.exitCode = passed.every(Boolean) ? 0 : 1

/** @returns whether the flow said what it should, or could not be tried */
function check(name: string, { needs, install, make, flow }: Generator, folder: string, address: string): boolean {
  const start = performance.now()
  mkdirSync(folder)
  const isHere = (program: string) => shell(`command -v ${program}`, folder).status === 0
  if (install && !needs.split(' ').every(isHere)) shell(install, folder)
  const missing = needs.split(' ').filter((program) => !isHere(program))
  if (missing.length > 0) {
    console.log(`SKIPPED  ${name}: there is no ${missing.join(', ')}, and its client was not made`)
    return true
  }
  cpSync(join(HERE, 'clients'), join(folder, 'clients'), { recursive: true })
  symlinkSync(NODE_MODULES, join(folder, 'node_modules'))
  const made = shell(`set -e\n${make}`, folder)
  const went = made.status === 0 ? shell(flow, folder, address) : made
  const ok = went.stdout === SAID
  if (!ok) console.log(`${went.stdout}${went.stderr}`.slice(-MOST_CHARACTERS))
  console.log(`${ok ? 'ok  ' : 'FAIL'}  a flow with ${name}  ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return ok
}

function shell(commands: string, cwd: string, address = '') {
  const options = { cwd, env: { ...ENVIRONMENT, ATRIUM: address }, encoding: 'utf8', maxBuffer: 2 ** 26 } as const
  return spawnSync('sh', ['-c', commands], options)
}
