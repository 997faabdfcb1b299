import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { endsWithFile } from './clean-up.ts'
import { onLoopback } from './on-loopback.ts'

type Json = Record<string, unknown>
interface Key {
  kid: string | undefined
  privateKey: KeyObject
  publicKey: KeyObject
}

/** A provider that lies, hangs or breaks in the way a test wants. At first it is honest. */
export interface RogueProvider {
  issuer: string
  client: { issuer: string; clientId: string; clientSecret: string }
  /** what it is asked to change; each is reset by `behave` */
  claims: (honest: Json) => Json
  header: (honest: Json) => Json
  metadata: (honest: Json) => Json
  /** added to the address that it leads the browser back to */
  back: (honest: URLSearchParams) => URLSearchParams
  /** how the token is signed */
  sign: (text: string, key: Key) => string
  /** answers a path by itself, if it returns true */
  intercept: (req: IncomingMessage, res: ServerResponse) => boolean
  /** the verifiers, codes and authorizations that came to the token endpoint */
  asked: { path: string; body: URLSearchParams; authorization: string | undefined }[]
  keys: Key[]
  rotate(kid?: string): void
  behave(): void
  close(): Promise<void>
}

const CLIENT = { clientId: 'atrium', clientSecret: 'a secret between the two' }
const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A pair costs a tenth of a second to make, so those of a process take turns. */
const pairs = new Map<number, Pick<Key, 'privateKey' | 'publicKey'>>()
let taken = 0
function nextPair() {
  const turn = taken++ % 6
  return pairs.get(turn) ?? pairs.set(turn, generateKeyPairSync('rsa', { modulusLength: 2048 })).get(turn)!
}

function honest(): Pick<RogueProvider, 'claims' | 'header' | 'metadata' | 'back' | 'sign' | 'intercept'> {
  const same = <Said>(said: Said) => said
  return { claims: same, header: same, metadata: same, back: same, sign: signRs256, intercept: () => false }
}

export async function openRogueProvider(): Promise<RogueProvider> {
  const server = createServer((req, res) => void answer(req, res))
  const { url: issuer, close } = await onLoopback(server)
  const begun = new Map<string, { nonce: string | null }>()
  let counter = 0
  const rogue: RogueProvider = {
    issuer,
    client: { issuer, ...CLIENT },
    ...honest(),
    asked: [],
    keys: [],
    rotate(kid = `key-${++counter}`) {
      rogue.keys = [{ kid, ...nextPair() }]
    },
    behave() {
      Object.assign(rogue, honest(), { asked: [] })
    },
    close: endsWithFile(close),
  }
  rogue.rotate()
  rogue.behave()
  return rogue

  async function answer(req: IncomingMessage, res: ServerResponse) {
    const { pathname, searchParams } = new URL(req.url!, issuer)
    const json = (body: unknown, status = 200) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    let text = ''
    for await (const piece of req) text += piece
    const body = new URLSearchParams(text)
    rogue.asked.push({
      path: pathname,
      body: pathname === '/auth' ? searchParams : body,
      authorization: req.headers.authorization,
    })
    if (rogue.intercept(req, res)) return
    if (pathname === '/.well-known/openid-configuration') return json(rogue.metadata(metadata()))
    if (pathname === '/jwks') return json({ keys: rogue.keys.map(jwkOf) })
    if (pathname === '/auth') {
      const code = `code-${++counter}`
      begun.set(code, { nonce: searchParams.get('nonce') })
      const back = new URLSearchParams({ code, state: searchParams.get('state')!, iss: issuer })
      return res.writeHead(302, { location: `${searchParams.get('redirect_uri')}?${rogue.back(back)}` }).end()
    }
    if (pathname === '/token') {
      const found = begun.get(body.get('code')!)
      if (!found) return json({ error: 'invalid_grant' }, 400)
      begun.delete(body.get('code')!)
      return json({ access_token: 'at', token_type: 'Bearer', expires_in: 60, id_token: tokenFor(found.nonce) })
    }
    return json({}, 404)
  }

  function metadata(): Json {
    return {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
    }
  }

  function tokenFor(nonce: string | null): string {
    const [key] = rogue.keys as [Key]
    const now = Math.floor(Date.now() / 1000)
    const header = rogue.header({ alg: 'RS256', typ: 'JWT', ...(key.kid && { kid: key.kid }) })
    const payload = rogue.claims({
      iss: issuer,
      sub: 'somebody',
      aud: CLIENT.clientId,
      exp: now + 600,
      iat: now,
      nonce,
      name: 'Some Body',
      email: 'somebody@example.com',
      email_verified: true,
    })
    const text = `${b64(header)}.${b64(payload)}`
    return `${text}.${rogue.sign(text, key)}`
  }
}

function signRs256(text: string, { privateKey }: Key): string {
  return createSign('RSA-SHA256').update(text).sign(privateKey).toString('base64url')
}

/** The public key, in one of its texts, taken for a shared secret. */
export function signHs256(text: string, { publicKey }: Key): string {
  const secret = publicKey.export({ type: 'spki', format: 'pem' })
  return createHmac('sha256', secret).update(text).digest('base64url')
}

function jwkOf({ kid, publicKey }: Key): object {
  return { ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', ...(kid && { kid }) }
}
