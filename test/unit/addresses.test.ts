import dns from 'node:dns'
import { request } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import ipaddr from 'ipaddr.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AddressRefused, assertPublicHost, isPublicAddress, lookupPublic } from '../../src/util/network.ts'

/**
 * The special-purpose address registries of IANA (RFC 6890), and what else is not of the public internet. Blocks that are
 * reachable but serve protocols, such as AS112 and ORCHIDv2, are refused too: nobody receives webhooks there.
 */
const SPECIAL = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '255.255.255.255/32'],
  ...['::/128', '::1/128', '::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '100:0:0:1::/64'],
  ...['2001::/23', '2001::/32', '2001:2::/48', '2001:3::/32', '2001:4:112::/48', '2001:10::/28', '2001:20::/28'],
  ...['2001:30::/28', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20', '5f00::/16', 'fc00::/7'],
  ...['fe80::/10', 'fec0::/10', 'ff00::/8'],
]

/** The first address of a block, one in its middle and the last, each with its neighbour outside if there is one. */
function edgesOf(block: string) {
  const [ip, bits] = ipaddr.parseCIDR(block)
  const bytes = ip.toByteArray()
  const free = BigInt(bytes.length * 8 - bits)
  const first = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  const last = first + (1n << free) - 1n
  const most = (1n << BigInt(bytes.length * 8)) - 1n
  const textOf = (value: bigint) =>
    ipaddr.fromByteArray(bytes.map((_, at) => Number((value >> BigInt(8 * (bytes.length - 1 - at))) & 255n))).toString()
  return {
    inside: [first, first + (last - first) / 2n, last].map(textOf),
    outside: [first - 1n, last + 1n].filter((value) => value >= 0n && value <= most).map(textOf),
  }
}
const isIn = (address: string, block: string) => {
  const [ip, [net, bits]] = [ipaddr.parse(address), ipaddr.parseCIDR(block)]
  return ip.kind() === net.kind() && (ip as ipaddr.IPv4).match(net as ipaddr.IPv4, bits)
}
const isGlobal = (address: string) => isIP(address) === 4 || isIn(address, '2000::/3')

describe.each(SPECIAL)('%s', (block) => {
  const { inside, outside } = edgesOf(block)
  test('is not of the public internet, in any spelling', () => {
    for (const address of inside) {
      expect(isPublicAddress(address), address).toBe(false)
      const host = isIP(address) === 6 ? `[${address}]` : address
      expect(() => assertPublicHost(new URL(`http://${host}/`)), host).toThrow(AddressRefused)
      if (isIP(address) === 4) expect(isPublicAddress(`::ffff:${address}`), `::ffff:${address}`).toBe(false)
    }
  })

  test('ends where it ends', () => {
    for (const address of outside)
      if (!SPECIAL.some((other) => isIn(address, other)))
        expect(isPublicAddress(address), address).toBe(isGlobal(address))
  })
})

test.each(['8.8.8.8', '1.1.1.1', '193.0.2.1', '::ffff:8.8.8.8', '2606:4700::1111', '2a00:1450:4001:81b::200e'])(
  '%s is of the public internet',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test.each([
  ...[
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '::7f00:1',
    'fe80::1%eth0',
    '',
    'localhost',
    '8.8.8',
    '8.8.8.8/32',
    '010.1.1.1',
  ],
])('%j is not', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  ...['http://127.0.0.1/', 'http://127.1/', 'http://127.0.0.1./', 'http://0177.0.0.1/', 'http://0x7f.1/'],
  ...['http://0x7f000001/', 'http://2130706433/', 'http://0/', 'http://012.1/', 'http://127.0.0.1%2e/'],
  ...['http://１２７.０.０.１/', 'http://①②⑦.0.0.1/', 'http://127。0。0。1/', 'http://[::1]:80/'],
  ...['http://[::ffff:10.0.0.1]/', 'http://[0:0:0:0:0:ffff:7f00:1]/', 'http://[::127.0.0.1]/'],
  ...['http://[64:ff9b::7f00:1]/', 'http://[64:ff9b:1::7f00:1]/', 'http://[2002:7f00:1::]/'],
  'http://[2001:0:7f00:1::]/',
])('the host of %s is refused without a look-up', (url) => {
  expect(() => assertPublicHost(new URL(url))).toThrow(AddressRefused)
})

test('a name is judged when it is looked up', () => {
  for (const url of ['https://login.example.com/', 'http://localhost./', 'http://127.0.0.1.example.com/'])
    expect(() => assertPublicHost(new URL(url))).not.toThrow()
})

test.each([
  ...['localhost', 'localhost.', 'LOCALHOST..', '%6cocalhost', 'ip6-localhost', 'db', 'db.'],
  ...['a.localhost', 'a.localhost.', 'localhost.localdomain', 'printer.local', 'a.home.arpa.'],
  'metadata.google.internal',
])('a request to %s, a name of this machine or its network, does not connect', async (host) => {
  const failure = await new Promise((resolve) => {
    request(`http://${host}:9/`, { lookup: lookupPublic }).on('error', resolve).end()
  })
  expect(failure).toMatchObject({ code: 'ADDRESS_REFUSED' })
})

describe('a name with several addresses', () => {
  const find = (all: boolean) => promisify(lookupPublic)('receiver.example.com', { all })

  test.each([
    [['8.8.8.8', '10.0.0.1']],
    [['10.0.0.1', '8.8.8.8']],
    [['2606:4700::1111', '8.8.8.8', '::1']],
    [['8.8.8.8', '::ffff:169.254.169.254']],
  ])('is refused if one of %j is not public', async (addresses) => {
    givenAddresses(addresses)
    for (const all of [true, false]) await expect(find(all)).rejects.toThrow(AddressRefused)
  })

  test('is reached at one of them if all are', async () => {
    givenAddresses(['8.8.8.8', '2606:4700::1111'])
    expect(await find(true)).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
    expect(await find(false)).toBe('8.8.8.8')
  })

  /** What the name servers answer in this test. */
  function givenAddresses(addresses: readonly string[]) {
    const usual = dns.lookup
    const answer = addresses.map((address) => ({ address, family: isIP(address) }))
    Object.assign(dns, {
      lookup: (_host: string, _options: object, done: (...words: any[]) => void) => done(null, answer),
    })
    syncBuiltinESMExports()
    onTestFinished(() => {
      Object.assign(dns, { lookup: usual })
      syncBuiltinESMExports()
    })
  }
})
