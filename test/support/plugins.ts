import { PLUGIN_NAMES } from '../../src/load-domains.ts'

/** Whether a copy of the project has these plug-ins: a folder may have been deleted, and then nobody tests what it adds. */
export const isHere = (...plugins: string[]): boolean => plugins.every((plugin) => PLUGIN_NAMES.includes(plugin))
