import { expect, test } from 'vitest'
import { networkOf, siteOf } from '../../src/util/network.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1:2:3:4', '2001:db8:0:0::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['unknown', 'unknown'],
  ['203.0.113.7:4711', '203.0.113.7:4711'],
  ['', ''],
  [undefined, 'nowhere'],
])('%j is counted as %j', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('a site has many networks of IPv6, and one address of IPv4', () => {
  expect(siteOf(networkOf('2001:db8:1:2::1'))).toBe(siteOf(networkOf('2001:db8:1:ffff::1')))
  expect(siteOf(networkOf('2001:db8:1:2::1'))).not.toBe(siteOf(networkOf('2001:db8:2:2::1')))
  expect(siteOf(networkOf('203.0.113.7'))).not.toBe(siteOf(networkOf('203.0.113.8')))
})
