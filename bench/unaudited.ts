import { registerHooks } from 'node:module'

/**
 * Loaded before the service (`node --import`), so that its commands write no audit row: imports of the actions of the
 * audit get those of `no-audit.ts`. The service itself has no such switch.
 */
const APP = /\/src\/app\.ts$/
const ACTIONS = /\/domains\/audit\/audit\.actions\.ts$/

registerHooks({
  resolve(specifier, context, next) {
    const wanted = next(specifier, context)
    if (!APP.test(context.parentURL ?? '') || !ACTIONS.test(wanted.url)) return wanted
    return { ...wanted, url: new URL('./no-audit.ts', import.meta.url).href }
  },
})
