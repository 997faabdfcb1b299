import type { Domain } from '../../../src/atrium/domain.ts'
import type { Breach } from '../exceptions.ts'
import { lineOf, type Source } from '../source.ts'

/** An event is kept and sent on: an address in it gives away the credentials, the path and the query that are in it. */
const CURE = 'record its host only: new URL(url).host'

/** Events that show an address in their example. */
export function findAddressesInExamples(domains: readonly Pick<Domain, 'name' | 'events'>[]): Breach[] {
  return domains.flatMap(({ name, events = {} }) =>
    Object.entries(events).flatMap(([type, { example }]) =>
      Object.entries(example)
        .filter(([, value]) => /\w:\/\//.test(JSON.stringify(value)))
        .map(([field]) => ({
          place: `${type} ${field}`,
          says: `${name} declares ${type} with an address in its ${field}, which may hold a secret: ${CURE}`,
        })),
    ),
  )
}

const RECORD = /\b(?:data: \{([^}]*)\}|host: ([^,}\n]+))/g
/** What leaves the host of an address alone, and what a schema or an example of a host is. */
const HOST = /\b\w*[hH]ost\w*\([^)]*\)|[\w.()]+\.host(name)?\b|\b(view|z)\.[\w.()]+|'[^'/]*'/g
const ADDRESS = /\b(\w*(url|uri|href|endpoint|address))\b(?!:)/i

/** Commands that record a whole address, or give one out as a host. */
export function findAddressesRecorded(sources: readonly Source[]): Breach[] {
  return sources
    .filter(({ path }) => !/\.(store|schemas|routes)\.ts$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(RECORD)].flatMap(({ 1: data, 2: host, index }) => {
        const [address] = ADDRESS.exec((data ?? host)!.replace(HOST, '')) ?? []
        if (!address) return []
        return {
          place: `${path} ${address}`,
          says: `${path}:${lineOf(text, index)} records ${address}, an address, which may hold a secret: ${CURE}`,
        }
      }),
    )
}
