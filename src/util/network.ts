import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The unit by which an address is counted: an IPv4 address itself, even if written as IPv6; of an IPv6 address the
 * first 64 bits, because one customer gets all the rest.
 */
export function networkOf(address: string | undefined): string {
  // A client that left immediately has no address any more.
  if (address === undefined) return 'nowhere'
  const [bare] = address.toLowerCase().split('%', 1) as [string]
  if (!ipaddr.IPv6.isValid(bare)) return bare
  const ip = ipaddr.IPv6.parse(bare)
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address().toString()
  const prefix = ip.parts.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

/** The site of a network, which may own as many as 65 536 networks of IPv6. */
export function siteOf(network: string): string {
  return network.endsWith('::/64') ? network.split(':', 3).join(':') : network
}

/**
 * Whether a text is an address or a CIDR block, as in the list of trusted proxies. The block of all addresses is not
 * accepted.
 */
export function isNetwork(text: string): boolean {
  if (text.endsWith('/0')) return false
  if (!text.includes('/')) return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
  return ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)
}

/** A host that requests to other systems must not reach, because one of its addresses is not of the public internet. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'
  readonly code = 'ADDRESS_REFUSED'
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an IP address is of the public internet. Private, loopback, link-local, multicast and reserved ones are not, nor
 * those of IPv6 that carry one of IPv4 to a translator: 6to4, Teredo, NAT64.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false
  const ip = ipaddr.process(address)
  if (ip.range() !== 'unicast') return false
  return ip.kind() === 'ipv4' || (ip as ipaddr.IPv6).match(GLOBAL_UNICAST)
}

/** A host that is written as an IP address is never looked up, so it is checked here. @throws AddressRefused */
export function assertPublicHost({ hostname }: URL): void {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.isValid(bare) && !isPublicAddress(bare)) throw new AddressRefused(`${hostname} is not a public address`)
}

/** Of this machine or a local network, whatever a server of names says: one word, or below a name that is kept for them. */
const LOCAL_NAME = /^[^.:]+\.*$|\.(localhost|localdomain|local|internal|home\.arpa)\.*$/i

/**
 * The `lookup` of a request to another system: it fails with AddressRefused unless all addresses of the host are public.
 * The request connects to one of these, so a name that changes its address in the meantime gains nothing.
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  const refusal = new AddressRefused(`${hostname} has an address that is not public`)
  if (LOCAL_NAME.test(hostname)) return process.nextTick(callback, refusal, [])
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    if (!addresses.every(({ address }) => isPublicAddress(address))) return callback(refusal, [])
    if (options.all) return callback(null, addresses)
    const [first] = addresses
    callback(null, first!.address, first!.family)
  })
}
