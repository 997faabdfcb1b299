import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, sharedBrowser } from '#test/console.ts'
import { LOOK } from '#test/legible.ts'
import { PATIENCE_MS, until } from '#test/patience.ts'
import { openWorld } from '#test/world.ts'
import { letterHtml, letterText } from '../letter/letter.ts'

const HOSTILE = `<script>alert(1)</script><img src=x onerror="alert(2)">`
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2)
const letters = {
  link: {
    language: 'en' as const,
    subject: 'Nina invites you to Northwind',
    sender: 'Northwind Traders',
    lines: ['Nina Novak invites you to work with her at Northwind Traders.', `She writes: ${HOSTILE}`],
    button: {
      label: 'Accept the invitation',
      url: `https://atrium.example.com/account/accept#token=${'a1B2'.repeat(16)}`,
      help: 'If the button does not work, copy this address into your browser:',
    },
    after: ['The invitation is valid for seven days.'],
    footer: ['Northwind Traders sent this automatically; replies are not read.'],
  },
  news: {
    language: 'zh-CN' as const,
    subject: '3 条新通知',
    sender: '北风贸易公司',
    lines: ['自上一封邮件以来，北风贸易公司 有新的动态：'],
    items: [
      { title: '您被指派了任务 准备发布会', content: null, time: '2026年11月22日 GMT+8 09:41' },
      { title: `${LONG} 有新评论`, content: `第一行\n第二行 ${HOSTILE}`, time: '2026年11月22日 GMT+8 09:12' },
      { title: '订阅将于 2026-12-06（UTC）到期', content: '请联系管理员。', time: '2026年11月22日 GMT+8 08:00' },
    ],
    footer: ['根据您的个人设置，通知每天发送一次。', '本邮件由 北风贸易公司 自动发送，请勿回复。'],
    unsubscribe: { label: '不再接收此类邮件', url: 'https://atrium.example.com/mail/unsubscribe/s1.abc' },
  },
}

describe('a letter', () => {
  test('says the same as text and as HTML, and its links have lines of their own', () => {
    const text = letterText(letters.link)
    expect(text.split('\n')).toContain(letters.link.button.url)
    for (const line of [...letters.link.lines, ...letters.link.after, ...letters.link.footer])
      expect(text).toContain(line)
    expect(letterText(letters.news)).toContain('• 您被指派了任务 准备发布会')
  })

  test('loads nothing, and holds nothing of others but words', () => {
    for (const letter of Object.values(letters)) {
      const page = letterHtml(letter)
      expect(page).not.toMatch(/<img|<script|<link|<[^>]*\ssrc=|@import|url\(/i)
      expect(page).toContain('&lt;script&gt;')
    }
  })
})

describe('the mailbox of development', () => {
  test('shows each mail, with its HTML in a sandbox', async () => {
    const world = await openWorld()
    const page = (url: string) => world.app.inject({ url })
    await world.sendMail(await world.givenTenant(), { to: 'ada@example.org' })
    const list = await until(async () => {
      const list = await page('/mail')
      return list.body.includes('ada@example.org') && list
    })
    const [, path] = /href="(\/mail\/[^"]+)"/.exec(list.body)!
    const [shown, content] = [await page(path!), await page(`${path}/html`)]

    expect(list.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(shown.body).toContain('A test of your mail settings')
    expect(shown.body).toContain('<iframe title="As HTML" sandbox="allow-popups')
    expect(content.headers['content-security-policy']).toMatch(/^sandbox allow-popups/)
    expect(content.headers['content-security-policy']).not.toContain('allow-scripts')
    for (const wrong of ['nothing', '..%2f..%2ftoken.secret', '1'.repeat(13)])
      expect((await page(`/mail/${wrong}`)).statusCode).toBe(404)
  })

  test('is not there if mail is sent, and in production', async () => {
    const other = await openWorld({ env: { MAIL_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@example.com' } })
    expect((await other.app.inject({ url: '/mail' })).statusCode).toBe(404)
  })
})

describe.skipIf(!hasBrowser)('in a browser', () => {
  let page: Page
  beforeAll(async () => {
    page = await (await sharedBrowser()).newPage()
    page.setDefaultTimeout(PATIENCE_MS)
  })
  afterAll(() => page?.close())

  test.each(Object.entries(letters))(
    'a letter with %s fits a phone in the dark and a desktop in light, and can be read',
    async (_, letter) => {
      await page.setContent(letterHtml(letter))
      for (const [width, colorScheme] of [
        [375, 'dark'],
        [1000, 'light'],
      ] as const) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme })
        expect(await page.evaluate(LOOK)).toMatchObject({ overflow: 0, faint: [] })
      }
    },
  )
})
