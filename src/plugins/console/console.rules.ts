import type { Config } from '#atrium'

/** Whether `/console/` is served. */
export function isServed({ console: asked, production }: Pick<Config, 'console' | 'production'>): boolean {
  return asked ?? !production
}
