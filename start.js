import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * `npm start`. What was compiled at the last start is not compiled again, which halves the start; where the cache cannot
 * be written, it is compiled. Plain JavaScript, so that nothing is stripped of its types before the cache is open.
 */
enableCompileCache(fileURLToPath(new URL('node_modules/.cache/atrium', import.meta.url)))
await import('./src/main.ts')
