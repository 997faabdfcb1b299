import { type Commands, Misunderstood } from '../src/atrium/command-line.ts'
import { commitOf, VERSION } from '../src/config/build.ts'
import { backup } from './backup/backup.ts'
import { restore } from './backup/restore.ts'
import { announce } from './cli/announce.ts'
import { joined, runCommand } from './cli/command.ts'
import { configuration } from './cli/config.ts'
import { migrations } from './cli/migrate.ts'
import { openapi } from './cli/openapi.ts'
import { explain } from './cli/refusal.ts'
import { secrets } from './cli/secrets.ts'
import { seed } from './cli/seed.ts'
import { commandsOfDomains } from './cli/system.ts'
import { endOnSignals, remark, say } from './cli/terminal.ts'
import { doctor } from './doctor/doctor.ts'
import { plugins } from './doctor/plugins.ts'

/**
 * The command line, `npx atrium`. It reads the same environment as the service, and writes through the same actions.
 * Exit codes: 0 done, 1 failed or not as it should be, 2 the line was not understood.
 */
const own: Commands = {
  migrate: migrations,
  backup,
  restore,
  secrets,
  announce,
  seed,
  openapi,
  plugins,
  config: configuration,
  doctor,
}

async function main(): Promise<number> {
  const words = process.argv.slice(2)
  try {
    if (words[0] === '--version') return tellVersion()
    const commands = joined(own, await commandsOfDomains(process.env))
    const about = 'atrium: the command line of the service. It reads the same environment.'
    return await runCommand({ about, commands }, words, say)
  } catch (error) {
    remark(error instanceof Misunderstood ? error.message : explain(error as Error))
    return error instanceof Misunderstood ? 2 : 1
  }
}

function tellVersion(): number {
  const commit = process.env.COMMIT || commitOf()
  say(`atrium ${VERSION}${commit ? ` (${commit})` : ''}, Node ${process.version}`)
  return 0
}

endOnSignals()
const code = await main()
// Flushes the output, even if something else keeps the process alive.
process.stdout.write('', () => process.exit(code))
