import { existsSync, writeFileSync } from 'node:fs'

/**
 * Loaded into a service under test: from SIGUSR2 on its event loop stands still, as in a computation, while there is this
 * file.
 */
process.on('SIGUSR2', () => {
  const file = process.env.STANDS_STILL!
  writeFileSync(file, '')
  while (existsSync(file));
})
