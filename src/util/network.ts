import { isIPv6 } from 'node:net'

/**
 * Whom an address stands for where it is counted: an IPv4 address for itself, also where it is written as IPv6; of an
 * IPv6 address the first 64 bits, because one customer is given all of the rest.
 */
export function networkOf(address: string): string {
  const [bare] = address.toLowerCase().split('%', 1) as [string]
  if (!isIPv6(bare)) return bare
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1]
  if (mapped) return mapped
  const [before, after] = bare.split('::').map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]?]
  const zeros = after ? Array<string>(8 - before.length - after.length).fill('0') : []
  const groups = [...before, ...zeros, ...(after ?? [])].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
