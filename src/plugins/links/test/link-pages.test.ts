import { expect, test } from 'vitest'
import { openWorld } from '#test/world.ts'
import { linkPages } from '../links.rules.ts'

/** What links lead to; what each page does is shown by the domain that provides it. */
test('the pages may run only their own script and style, and nobody keeps or frames them', async () => {
  const world = await openWorld()
  for (const { name, en, zh } of linkPages.all()) {
    const { statusCode, headers, body } = await world.app.inject(`/account/${name}`)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      vary: /Accept-Language/,
    })
    expect(body).not.toMatch(/<script>|<style|style=|onclick/)
    expect(body).toContain(`<h1>${en.title}</h1>`)
    const chinese = await world.app.inject({ url: `/account/${name}`, headers: { 'accept-language': 'zh-TW' } })
    expect(chinese.body).toContain('<html lang="zh-CN">')
    expect(chinese.body).toContain(`<h1>${zh.title}</h1>`)
    expect((await world.app.inject(`/account/${name}?lang=zh-CN`)).body).toContain('<html lang="zh-CN">')
    expect((await world.app.inject(`/account/${name}?lang="><script>`)).body).toContain('<html lang="en">')
  }
  for (const [file, type] of Object.entries({ 'page.js': /javascript/, 'page.css': /css/ })) {
    const { statusCode, headers } = await world.app.inject(`/account/${file}`)
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toMatch(type)
    expect(headers['x-content-type-options']).toBe('nosniff')
  }
  for (const hidden of ['en.json', 'page-html.ts', 'nothing', ''])
    expect((await world.app.inject(`/account/${hidden}`)).statusCode).toBe(404)
})

test('a front end with pages of its own gets the links, and the service serves none', async () => {
  const world = await openWorld({ env: { ACCOUNT_URL: 'https://app.example/me' } })
  for (const name of [...linkPages.all().map((page) => page.name), 'page.js'])
    expect((await world.app.inject(`/account/${name}`)).statusCode).toBe(404)
})
