import { registerHooks } from 'node:module'

/**
 * Loaded before the service (`node --import`), so that its commands write no audit row: the domain of the audit gets
 * those of `no-audit.ts` for its actions. The service itself has no such switch.
 */
const DOMAIN = /\/domains\/audit\/audit\.domain\.ts$/
const ACTIONS = /\/domains\/audit\/audit\.actions\.ts$/

registerHooks({
  resolve(specifier, context, next) {
    const wanted = next(specifier, context)
    if (!DOMAIN.test(context.parentURL ?? '') || !ACTIONS.test(wanted.url)) return wanted
    return { ...wanted, url: new URL('./no-audit.ts', import.meta.url).href }
  },
})
