import type { FastifyInstance } from 'fastify'

/** Where the service of a test is, for a browser and for a provider. */
export const SERVICE = 'http://localhost'
export const CALLBACK = `${SERVICE}/api/v1/auth/oidc/callback`

/** A browser with its cookies, which follows redirects between the service in this process and a provider. */
export function openBrowser(app: FastifyInstance) {
  const cookies = new Map<string, string>()
  const keep = (host: string, lines: readonly string[]) => {
    for (const line of lines) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(`${host} ${name}`)
      else cookies.set(`${host} ${name}`, value!)
    }
  }
  const sent = (host: string) =>
    [...cookies]
      .filter(([key]) => key.startsWith(`${host} `))
      .map(([key, value]) => `${key.slice(host.length + 1)}=${value}`)
      .join('; ')

  async function visit(address: string): Promise<{ status: number; location: string | undefined; text: string }> {
    const { origin, pathname, search } = new URL(address)
    const cookie = sent(origin)
    if (origin === SERVICE) {
      const answer = await app.inject({
        url: pathname + search,
        headers: { host: 'localhost', ...(cookie && { cookie }) },
      })
      keep(origin, [answer.headers['set-cookie'] ?? []].flat())
      return { status: answer.statusCode, location: answer.headers.location as string | undefined, text: answer.body }
    }
    const answer = await fetch(address, { redirect: 'manual', headers: cookie ? { cookie } : {} })
    keep(origin, answer.headers.getSetCookie())
    const location = answer.headers.get('location')
    return {
      status: answer.status,
      location: location ? new URL(location, address).href : undefined,
      text: await answer.text(),
    }
  }

  return {
    cookies,
    cookieFor: sent,
    visit,
    /** Follows redirects until the page. @returns its address, or the answer at which it ended */
    async follow(from: string, until = (address: string) => address.includes('#')) {
      let address = from
      for (let steps = 0; steps < 12; steps++) {
        if (until(address)) return address
        const { status, location, text } = await visit(address)
        if (!location) throw new Error(`${address} answered ${status}: ${text.slice(0, 500)}`)
        address = location
      }
      throw new Error(`too many redirects: ${address}`)
    },
  }
}
