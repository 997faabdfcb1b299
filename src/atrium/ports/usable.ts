import { ports } from '../port.ts'

/**
 * What the service computes with, or makes a path of, and no constraint of the database checks: by table and column, as
 * the database names them, whether a value that came from elsewhere can be used here.
 */
export type Usable = Readonly<Record<string, Readonly<Record<string, (value: any, row: any) => boolean>>>>

/** Asked before rows come into the database that no action of the service wrote. */
export const usable = ports<Usable>('which values of its tables can be used')
