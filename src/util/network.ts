import ipaddr from 'ipaddr.js'

/**
 * Whom an address stands for where it is counted: an IPv4 address for itself, also where it is written as IPv6; of an
 * IPv6 address the first 64 bits, because one customer is given all of the rest.
 */
export function networkOf(address: string | undefined): string {
  // A client that has left at once has none any more.
  if (address === undefined) return 'nowhere'
  const [bare] = address.toLowerCase().split('%', 1) as [string]
  if (!ipaddr.IPv6.isValid(bare)) return bare
  const ip = ipaddr.IPv6.parse(bare)
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address().toString()
  const prefix = ip.parts.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

/** Whom a network belongs to: to a site, which is given as many as 65 536 networks of IPv6 at once. */
export function siteOf(network: string): string {
  return network.endsWith('::/64') ? network.split(':', 3).join(':') : network
}

/** Whether a text is an address or a CIDR block, as the list of trusted proxies takes them: the block of all addresses is none. */
export function isNetwork(text: string): boolean {
  if (text.endsWith('/0')) return false
  if (!text.includes('/')) return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
  return ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)
}
