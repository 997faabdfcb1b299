import { PLUGIN_NAMES } from '../../src/load-domains.ts'

/** Whether a copy of the project has this plug-in: its folder may have been deleted, and then nobody tests what it adds. */
export const isHere = (plugin: string): boolean => PLUGIN_NAMES.includes(plugin)
