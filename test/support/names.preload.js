// Loaded into the service before anything else: names that end with .test are looked up in the file NAMES_FILE, as JSON.
import dns from 'node:dns'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const usual = { lookup: dns.lookup, promise: dns.promises.lookup }

function find(host) {
  const address = JSON.parse(readFileSync(process.env.NAMES_FILE, 'utf8'))[host]
  if (address) return { address, family: 4 }
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' })
}

const isOurs = (host) => process.env.NAMES_FILE !== undefined && /\.test$/.test(host)

dns.promises.lookup = async (host, options) => {
  if (!isOurs(host)) return usual.promise(host, options)
  return options?.all ? [find(host)] : find(host)
}

dns.lookup = (host, options, callback) => {
  if (!isOurs(host)) return usual.lookup(host, options, callback)
  const [settings, answer] = typeof options === 'function' ? [{}, options] : [options, callback]
  setImmediate(() => {
    try {
      const found = find(host)
      if (settings.all) answer(null, [found])
      else answer(null, found.address, found.family)
    } catch (error) {
      answer(error)
    }
  })
}

syncBuiltinESMExports()
