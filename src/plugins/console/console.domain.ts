import { domain, welcomes } from '#atrium'
import { consolePages } from './console.pages.ts'
import { isServed } from './console.rules.ts'

export default domain({
  name: 'console',
  about: 'Pages for administrators, in a browser',
  provides: [
    welcomes.by((config, address) => [
      ['Console', isServed(config) ? `${address}/console/` : 'off; CONSOLE=true serves it'],
    ]),
  ],
  pages: consolePages,
})
