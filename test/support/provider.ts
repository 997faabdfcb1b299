import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { CALLBACK } from './browser.ts'
import { onLoopback } from './on-loopback.ts'

/** Somebody at a provider. */
export interface Account {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  preferred_username?: string
  groups?: string[]
}

/** A real provider, at which everybody is already known: `oidc-provider` on a port of its own. */
export interface RealProvider {
  issuer: string
  client: { issuer: string; clientId: string; clientSecret: string }
  /** who sits before the browser */
  account: Account
  /** waits as long before each answer */
  delayMs: number
  close(): Promise<void>
}

/** @param redirectUri what the client has registered */
export async function openProvider(redirectUri: string): Promise<RealProvider> {
  const client = { clientId: 'atrium', clientSecret: 'a secret between the two' }
  const server = createServer()
  const { url: issuer, close } = await onLoopback(server)
  server.unref()
  const open: RealProvider = {
    issuer,
    client: { issuer, ...client },
    account: { sub: 'ada' },
    delayMs: 0,
    close,
  }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
      groups: ['groups'],
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    cookies: { keys: ['a key of the tests'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, id) => ({ accountId: id, claims: async () => ({ ...open.account, sub: id }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
  })
  const answer = provider.callback()
  server.on('request', (req, res) => {
    setTimeout(() => {
      if (!req.url?.startsWith('/interaction/')) return void answer(req, res)
      void provider.interactionFinished(req, res, { login: { accountId: open.account.sub, remember: false } })
    }, open.delayMs)
  })
  return open
}

let lent: Promise<RealProvider> | undefined

/** A provider that the whole process shares. It keeps no test from ending. */
export function lendProvider(): Promise<RealProvider> {
  lent ??= openProvider(CALLBACK)
  return lent
}
