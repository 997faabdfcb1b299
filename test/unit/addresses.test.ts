import { request } from 'node:http'
import { expect, test } from 'vitest'
import { AddressRefused, assertPublicHost, isPublicAddress, lookupPublic } from '../../src/util/network.ts'

test.each([...['8.8.8.8', '1.1.1.1', '193.0.2.1', '::ffff:8.8.8.8', '2606:4700::1111']])(
  '%s is of the public internet',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test.each([
  ...['127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1'],
  ...['169.254.169.254', '0.0.0.0', '192.0.0.8', '192.0.2.1', '198.18.0.1', '203.0.113.7', '224.0.0.1'],
  ...['240.0.0.1', '255.255.255.255', '192.88.99.1', '::1', '::', '::7f00:1', 'fe80::1', 'fc00::1'],
  ...['fd00:ec2::254', 'fec0::1', '::ffff:127.0.0.1', '::ffff:a00:1', '2002:a00:1::', '2001::1', '64:ff9b::a00:1'],
  ...['64:ff9b:1::1', '2001:db8::1', '100::1', 'ff02::1', '', 'localhost', '8.8.8'],
])('%j is not', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  'http://127.0.0.1/',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://[::1]:80/',
  'http://[::ffff:10.0.0.1]/',
])('the host of %s is refused without a look-up', (url) => {
  expect(() => assertPublicHost(new URL(url))).toThrow(AddressRefused)
})

test('a name is judged when it is looked up', () => {
  expect(() => assertPublicHost(new URL('https://login.example.com/'))).not.toThrow()
})

test('a request to a name of this machine does not connect', async () => {
  const failure = await new Promise((resolve) => {
    request('http://localhost:9/', { lookup: lookupPublic }).on('error', resolve).end()
  })
  expect(failure).toBeInstanceOf(AddressRefused)
})
