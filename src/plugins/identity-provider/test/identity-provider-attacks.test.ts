import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openBrowser, SERVICE } from '#test/browser.ts'
import { codeIn, givenReturn, isBack, PAGE, startAddress } from '#test/provider-steps.ts'
import { openRogueProvider, type RogueProvider, signHs256 } from '#test/rogue-provider.ts'
import { openWorld, type Tenant } from '#test/world.ts'
import { cookieOf } from '../protocol/tickets.ts'

let tenant: Tenant
const [world, rogue] = await Promise.all([openWorld(), openRogueProvider()])
beforeEach(async () => {
  rogue.behave()
  tenant = await world.givenTenant()
  await name()
})

async function name(of: Tenant = tenant, at: RogueProvider = rogue, more: object = {}) {
  const draft = { ...at.client, createUsers: true, ...more }
  ;(await world.as(of.administrator).put('/tenant/identity-provider', draft)).expect(200)
}
const start = (page?: string) => startAddress(tenant.code, page)
const exchange = (code: string, codeVerifier?: string) =>
  world.anyone.post('/auth/oidc/exchange', { code, codeVerifier })
/** A page's secret, and where a sign-in ends that it has begun. */
const verifierOf = (page: string) => page.padEnd(43, '~')
async function arriveAt(page: string) {
  const challenge = createHash('sha256').update(verifierOf(page)).digest('base64url')
  return openBrowser(world.app).follow(`${start()}&codeChallenge=${challenge}`)
}
/** Where a sign-in ends. */
const arrive = () => openBrowser(world.app).follow(start())
const comeBack = () => givenReturn(world.app, tenant.code)
const requests = (path: string) => rogue.asked.filter((one) => one.path === path)
/** An answer of the provider that this has changed. */
const changed = (change: (answer: URLSearchParams) => void) => (answer: URLSearchParams) => {
  change(answer)
  return answer
}

/**
 * The names are those of the OpenID conformance suite, plan `oidcc-client-basic-certification-test-plan` and its configuration
 * profile. Its other negative cases are of flows that are not used here: `invalid-athash`, `missing-athash`,
 * `invalid-chash` and `missing-chash` of implicit and hybrid flows, and those of dynamic registration.
 */
describe('OpenID Connect conformance: an ID token is refused', () => {
  const now = () => Math.floor(Date.now() / 1000)
  const named = (alg: string) => (honest: object) => ({ ...honest, alg })
  const bySecret = (text: string) => createHmac('sha256', rogue.client.clientSecret).update(text).digest('base64url')
  const lies: [string, Partial<RogueProvider>][] = [
    ['oidcc-client-test-invalid-iss', { claims: (honest) => ({ ...honest, iss: 'https://login.example.com' }) }],
    ['oidcc-client-test-invalid-aud', { claims: (honest) => ({ ...honest, aud: 'another' }) }],
    ['oidcc-client-test-missing-aud', { claims: ({ aud: _, ...honest }) => honest }],
    ['no issuer', { claims: ({ iss: _, ...honest }) => honest }],
    ['for another client too, without azp', { claims: (honest) => ({ ...honest, aud: ['atrium', 'b'] }) }],
    ['azp of another client', { claims: (honest) => ({ ...honest, aud: ['atrium', 'b'], azp: 'b' }) }],
    ['oidcc-client-test-missing-sub', { claims: ({ sub: _, ...honest }) => honest }],
    ['a sub with a NUL', { claims: (honest) => ({ ...honest, sub: 'a\0' }) }],
    ['a sub that is no Unicode', { claims: (honest) => ({ ...honest, sub: '\ud800' }) }],
    ['a sub of more than 255 characters', { claims: (honest) => ({ ...honest, sub: 'a'.repeat(256) }) }],
    ['oidcc-client-test-missing-iat', { claims: ({ iat: _, ...honest }) => honest }],
    ['iat in the future', { claims: (honest) => ({ ...honest, iat: now() + 3600, exp: now() + 7200 }) }],
    ['expired', { claims: (honest) => ({ ...honest, iat: now() - 7200, exp: now() - 3600 }) }],
    ['no exp', { claims: ({ exp: _, ...honest }) => honest }],
    ['nbf in the future', { claims: (honest) => ({ ...honest, nbf: now() + 3600 }) }],
    ['oidcc-client-test-nonce-invalid', { claims: (honest) => ({ ...honest, nonce: 'of another sign-in' }) }],
    ['no nonce', { claims: ({ nonce: _, ...honest }) => honest }],
    ['oidcc-client-test-invalid-sig-rs256', { sign: (text) => Buffer.from(text).toString('base64url').slice(0, 342) }],
    ['oidcc-client-test-idtoken-sig-none', { header: named('none'), sign: () => '' }],
    ['oidcc-client-test-invalid-sig-hs256: signed with the public key', { header: named('HS256'), sign: signHs256 }],
    ['oidcc-client-test-invalid-sig-hs256: by the secret of the client', { header: named('HS256'), sign: bySecret }],
    ['oidcc-client-test-invalid-sig-es256: by an RSA key', { header: named('ES256') }],
    ['oidcc-client-test-kid-absent-multiple-jwks', { header: ({ kid: _, ...honest }) => honest }],
    ['a key of nobody', { header: (honest) => ({ ...honest, kid: 'of nobody' }) }],
    ['critical extensions', { header: (honest) => ({ ...honest, crit: ['b64'], b64: false }) }],
  ]
  test.each(lies)('%s', async (lie, behaviour) => {
    if (lie.includes('multiple-jwks')) {
      const [key] = rogue.keys
      rogue.rotate()
      rogue.keys.push(key!)
      onTestFinished(() => rogue.rotate())
    }
    Object.assign(rogue, behaviour)
    expect(await arrive()).toBe(`${PAGE}#error=SIGN_IN_INVALID`)
  })

  test('oidcc-client-test-kid-absent-single-jwks: the only key needs no name', async () => {
    rogue.rotate('')
    rogue.header = ({ kid: _, ...honest }) => honest
    codeIn(await arrive())
    rogue.rotate()
  })

  test('oidcc-client-test-discovery-issuer-mismatch: such a provider is not saved', async () => {
    rogue.metadata = (honest) => ({ ...honest, issuer: 'https://login.example.com' })
    const draft = { ...rogue.client, createUsers: true }
    const refused = await world.as(tenant.administrator).put('/tenant/identity-provider', draft)
    refused.expect(400, 'PROVIDER_UNREACHABLE')
  })

  test('oidcc-client-test-signing-key-rotation, and just before signing: the next sign-in reads the new key', async () => {
    codeIn(await arrive())
    rogue.rotate()
    codeIn(await arrive())
    rogue.rotate('the same name')
    codeIn(await arrive())
    rogue.rotate('the same name')
    await arrive()
    codeIn(await arrive())
  })

  test('oidcc-client-test-userinfo-invalid-sub', async () => {
    const other = { sub: 'somebody else', email: 'root@example.com', email_verified: true }
    rogue.claims = ({ email: _, ...honest }) => honest
    rogue.metadata = (honest) => ({ ...honest, userinfo_endpoint: `${rogue.issuer}/userinfo` })
    rogue.intercept = (req, res) => {
      if (req.url !== '/userinfo') return false
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(other))
      return true
    }
    await name()
    expect(await arrive()).toBe(`${PAGE}#error=SIGN_IN_INVALID`)
  })
})

describe('RFC 9700, Best Current Practice for OAuth 2.0 Security: as far as it concerns a client', () => {
  test('2.1: the redirect URI is always the same; 2.1.1: two sign-ins have different states, nonces and challenges', async () => {
    const [{ back }] = await Promise.all([comeBack(), comeBack()])
    for (const { body } of requests('/auth')) expect(body.get('redirect_uri')).toBe(back.split('?')[0])
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(new Set(requests('/auth').map(({ body }) => body.get(name))).size).toBe(2)
  })

  test('2.1.1, 4.5, 4.8: PKCE with S256, also if it is not announced; the verifier never goes through the browser', async () => {
    rogue.metadata = ({ code_challenge_methods_supported: _, ...honest }) => honest
    await name()
    const { browser, back } = await comeBack()
    codeIn(await browser.follow(back))
    const [asked] = requests('/auth')
    expect(asked!.body.get('code_challenge_method')).toBe('S256')
    expect(asked!.body.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    const verifier = requests('/token')[0]!.body.get('code_verifier')!
    expect(verifier).toMatch(/^[\w-]{43}$/)
    expect(`${back} ${JSON.stringify([...browser.cookies])}`).not.toContain(verifier)
  })

  test('4.1, 4.11: nobody is led to a page of a foreign origin', async () => {
    const pages = [
      ...['https://evil.example/', '//evil.example/', 'javascript:alert(1)', 'data:text/html,x', '/welcome', ''],
      ...['http://localhost@evil.example/', 'http://localhost:5173@evil.example/', 'http://localhost.evil.example/'],
      ...['http://user:pass@localhost:5173/', 'http:\\\\evil.example', 'file:///etc/passwd'],
      ...['http://localhost%2eevil.example/', 'http://127.0.0.1.nip.io/', `http://localhost:5173/${'x'.repeat(2000)}`],
    ]
    for (const page of pages) {
      const { status, location } = await openBrowser(world.app).visit(start(page))
      expect([page, status, location]).toEqual([page, 400, undefined])
    }
    expect(rogue.asked.filter(({ path }) => path === '/auth')).toEqual([])
  })

  test('4.2: neither code nor token is in an address that is sent to anybody', async () => {
    const { browser, back } = await comeBack()
    const end = await browser.follow(back)
    expect(new URL(end).search).toBe('')
    expect(new URL(end).hash).toMatch(/^#code=/)
    const answer = await world.anyone.get('/auth/sign-in-methods')
    expect(answer.headers['referrer-policy']).toBe('no-referrer')
  })

  describe('4.4: mix-up', () => {
    test.each<[string, (answer: URLSearchParams) => void]>([
      ['that names another issuer', (answer) => answer.set('iss', 'https://login.example.com')],
      ['without an issuer, of a provider that always names itself', (answer) => answer.delete('iss')],
    ])('an answer %s is refused, and its code goes to nobody', async (_, change) => {
      rogue.back = changed(change)
      expect(await arrive()).toBe(`${PAGE}#error=SIGN_IN_INVALID`)
      expect(requests('/token')).toEqual([])
    })

    describe('between two providers that never name themselves', () => {
      const nameless = (of: RogueProvider) => {
        of.metadata = ({ authorization_response_iss_parameter_supported: _, ...honest }) => honest
        of.back = changed((answer) => answer.delete('iss'))
      }

      test.each([true, false])(
        'a provider that leads people to the honest one gets no code of it (its own address: %s)',
        async (ownRedirect) => {
          const [honest, own] = [await openRogueProvider(), await world.givenTenant()]
          for (const one of [rogue, honest]) nameless(one)
          await name(tenant, rogue, { ownRedirect })
          await name(own, honest, { ownRedirect: true })
          const registered = `${SERVICE}/api/v1/auth/oidc/callback/${own.code}`
          rogue.intercept = (req, res) => {
            const asked = new URL(req.url!, rogue.issuer)
            if (asked.pathname !== '/auth') return false
            asked.searchParams.set('redirect_uri', registered)
            res.writeHead(302, { location: `${honest.issuer}/auth${asked.search}` }).end()
            return true
          }
          const { browser, back } = await comeBack()
          expect(new URL(back).pathname).toBe(new URL(registered).pathname)
          expect(new URL(back).searchParams.get('code')).toBeTruthy()
          expect(await browser.follow(back)).toBe(`${PAGE}#error=SIGN_IN_INVALID`)
          const redeemed = [...rogue.asked, ...honest.asked].filter(({ path }) => path === '/token')
          expect(redeemed).toEqual([])
          codeIn(await openBrowser(world.app).follow(startAddress(own.code)))
        },
      )

      test('an answer is only taken at the address that its sign-in has named', async () => {
        nameless(rogue)
        await name(tenant, rogue, { ownRedirect: true })
        const boss = world.as(tenant.administrator)
        const { redirectUri } = (await boss.get('/tenant/identity-provider')).expect(200)
        expect(redirectUri).toMatch(new RegExp(`/api/v1/auth/oidc/callback/${tenant.code}$`))
        for (const other of ['', `/${(await world.givenTenant()).code}`, '/nobody']) {
          const { browser, back } = await comeBack()
          const elsewhere = back.replace(`/callback/${tenant.code}?`, `/callback${other}?`)
          expect(await browser.follow(elsewhere)).toBe(`${PAGE}#error=SIGN_IN_INVALID`)
        }
        expect(requests('/token')).toEqual([])
        codeIn(await arrive())
        await name(tenant, rogue, { ownRedirect: false })
        codeIn(await arrive())
      })
    })

    test('an answer for a provider that the tenant no longer has is refused', async () => {
      const { browser, back } = await comeBack()
      const other = await openRogueProvider()
      await name(tenant, other)
      expect(await browser.follow(back)).toBe(`${PAGE}#error=SIGN_IN_INVALID`)
      expect([...requests('/token'), ...other.asked.filter(({ path }) => path === '/token')]).toEqual([])
    })
  })

  describe('4.5: a stolen code', () => {
    test('is of no use in another browser, whether with its state or without', async () => {
      const { back } = await comeBack()
      const thief = openBrowser(world.app)
      expect(await thief.visit(back)).toMatchObject({ status: 400, location: undefined })
      const own = await thief.follow(start(), isBack)
      const injected = new URL(own)
      injected.searchParams.set('code', new URL(back).searchParams.get('code')!)
      expect(await thief.follow(injected.href)).toBe(`${PAGE}#error=SIGN_IN_INVALID`)
    })

    test('is of no use twice: neither that of the provider nor that of the page', async () => {
      const { browser, back } = await comeBack()
      const code = codeIn(await browser.follow(back))
      expect(await browser.follow(back)).toBe(`${PAGE}#error=SIGN_IN_INVALID`)
      const answers = await Promise.all([exchange(code), exchange(code), exchange(code), exchange(code)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401])
      ;(await exchange(code)).expect(401, 'INVALID_SIGN_IN_CODE')
    })

    test('of the page dies after a minute, and when it is changed', async () => {
      const code = codeIn(await arrive())
      for (const wrong of [`${code}x`, code.slice(0, -2), code.replace(/^\d+/, '1'), 'x', '1.x', '1.s1.a.b'])
        (await exchange(wrong)).expect(401, 'INVALID_SIGN_IN_CODE')
      const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000)
      ;(await exchange(code)).expect(401, 'INVALID_SIGN_IN_CODE')
      later.mockRestore()
      ;(await exchange(code)).expect(200)
    })
  })

  test('4.7: CSRF: an answer that this browser has not asked for is refused', async () => {
    const attacker = await comeBack()
    const victim = openBrowser(world.app)
    expect((await victim.visit(attacker.back)).status).toBe(400)
    await victim.follow(start(), isBack)
    expect((await victim.visit(attacker.back)).status).toBe(400)
    for (const state of ['', 'state=', 'state=x', 'state=a&state=b']) {
      const { status } = await victim.visit(`${SERVICE}/api/v1/auth/oidc/callback?code=c&${state}`)
      expect([state, status]).toEqual([state, 400])
    }
    const { browser, back } = attacker
    const forged = new URL(back)
    forged.searchParams.set('state', `${forged.searchParams.get('state')!.slice(0, -3)}AAA`)
    expect((await browser.visit(forged.href)).status).toBe(400)
    expect(requests('/token')).toEqual([])
  })

  test('4.7: one sign-in becomes one session, however often the provider lets the browser back', async () => {
    const { browser, back } = await comeBack()
    const first = codeIn(await browser.follow(back))
    const again = new URL(back)
    const other = await comeBack()
    again.searchParams.set('code', new URL(other.back).searchParams.get('code')!)
    rogue.claims = (honest) => ({ ...honest, nonce: requests('/auth')[0]!.body.get('nonce') })
    const second = codeIn(await browser.follow(again.href))
    ;(await exchange(first)).expect(200)
    ;(await exchange(second)).expect(401, 'INVALID_SIGN_IN_CODE')
  })

  test('4.7, 4.8: a code works only with the secret of the page that began, and no other page uses it up', async () => {
    const code = codeIn(await arriveAt('mine'))
    ;(await exchange(code)).expect(400, 'STATE_MISMATCH')
    ;(await exchange(code, verifierOf('another'))).expect(400, 'STATE_MISMATCH')
    ;(await exchange(code, 'too short')).expect(400, 'VALIDATION_FAILED')
    ;(await exchange(code, verifierOf('mine'))).expect(200)
    ;(await exchange(code, verifierOf('mine'))).expect(401, 'INVALID_SIGN_IN_CODE')
    expect((await openBrowser(world.app).visit(`${start()}&codeChallenge=short`)).status).toBe(400)
    // 4.8: nor one that was begun without a challenge.
    ;(await exchange(codeIn(await arrive()), verifierOf('mine'))).expect(400, 'STATE_MISMATCH')
  })

  test('4.12: the redirect is a 302 that no cache keeps, and its cookie is out of reach for scripts and other sites', async () => {
    const { pathname, search } = new URL(start())
    const answer = await world.anyone.get(pathname.slice('/api/v1'.length) + search)
    expect([answer.status, answer.headers['cache-control']]).toEqual([302, 'no-store'])
    expect(answer.headers['set-cookie']).toMatch(
      /^atrium-sign-in=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
    expect(cookieOf('x', true)).toBe('__Host-atrium-sign-in=x; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure')
  })
})

describe('a provider that is away', () => {
  const breaks: [string, (req: IncomingMessage, res: ServerResponse) => void][] = [
    ['answers 500', (_req, res) => res.writeHead(500).end()],
    ['answers with a page', (_req, res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
    ['closes the connection', (req) => req.socket.destroy()],
    ['redirects elsewhere', (_req, res) => res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['answers without end', (_req, res) => res.write('x'.repeat(2 ** 20))],
    ['hangs', () => {}],
  ]
  const breaking =
    (broken: (typeof breaks)[number][1], path?: string): RogueProvider['intercept'] =>
    (req, res) => {
      if (path !== undefined && req.url !== path) return false
      broken(req, res)
      return true
    }
  test.each(breaks)(
    '%s: at the token endpoint, its people learn it, and such a provider is not saved',
    async (_, broken) => {
      rogue.intercept = breaking(broken, '/token')
      expect(await arrive()).toMatch(/#error=(PROVIDER_UNAVAILABLE|SIGN_IN_INVALID)$/)
      rogue.behave()
      codeIn(await arrive())
      rogue.intercept = breaking(broken)
      const refused = await world.as(tenant.administrator).put('/tenant/identity-provider', rogue.client)
      refused.expect(400, 'PROVIDER_UNREACHABLE')
    },
  )

  test('is gone: a way back to passwords needs no answer', async () => {
    const gone = await openRogueProvider()
    await name(tenant, gone)
    const { browser, back } = await comeBack()
    await gone.close()
    const boss = world.as(tenant.administrator)
    expect(await browser.follow(back)).toBe(`${PAGE}#error=PROVIDER_UNAVAILABLE`)
    ;(await boss.put('/tenant/identity-provider', { passwordSignIn: 'allowed' })).expect(200)
    ;(await boss.put('/tenant/identity-provider', gone.client)).expect(400, 'PROVIDER_UNREACHABLE')
  })
})
