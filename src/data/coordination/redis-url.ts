/**
 * How REDIS_URL names a Redis or Valkey; `rediss` stands for TLS, and user and password may come before the hosts:
 *
 *   redis://host:6379/0                                one server
 *   redis+sentinel://host1:26379,host2:26379/mymaster  the master of that name, as these sentinels know it
 *   redis+cluster://host1:6379,host2:6379              a cluster, found by these nodes
 */
export interface RedisAddress {
  kind: 'server' | 'sentinel' | 'cluster'
  url: string
  hosts: { host: string; port: number }[]
  /** of the master, if there are sentinels */
  name: string
  username: string | undefined
  password: string | undefined
  tls: boolean
}

const SEVERAL =
  /^redis(?<s>s?)\+(?<kind>sentinel|cluster):\/\/(?:(?<login>[^@/]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<name>[\w.-]*))?$/
const USUAL_PORT = { server: 6379, sentinel: 26_379, cluster: 6379 }

/** Parses the URL; undefined if it is none of the three. */
export function readRedisUrl(url: string): RedisAddress | undefined {
  const several = SEVERAL.exec(url)?.groups
  if (!several) return readOne(url)
  const kind = several.kind as 'sentinel' | 'cluster'
  const hosts = several.hosts!.split(',').map((host) => readHost(host, USUAL_PORT[kind]))
  if (!hosts.every((host) => host !== undefined)) return undefined
  if ((kind === 'sentinel') !== Boolean(several.name)) return undefined
  const [username, password] = (several.login ?? '').split(':').map((part) => decodeURIComponent(part) || undefined)
  return { kind, url, hosts, name: several.name ?? '', username, password, tls: several.s === 's' }
}

function readOne(url: string): RedisAddress | undefined {
  const parsed = /^rediss?:\/\//.test(url) ? URL.parse(url) : null
  if (!parsed?.hostname) return undefined
  const hosts = [{ host: parsed.hostname, port: Number(parsed.port) || USUAL_PORT.server }]
  const { username, password, protocol } = parsed
  return { kind: 'server', url, hosts, name: '', username, password, tls: protocol === 'rediss:' }
}

function readHost(text: string, usual: number) {
  const [, host, port = usual] = /^([\w.-]+|\[[\da-fA-F:]+\])(?::(\d{1,5}))?$/.exec(text) ?? []
  return host === undefined ? undefined : { host, port: Number(port) }
}
