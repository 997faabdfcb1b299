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
