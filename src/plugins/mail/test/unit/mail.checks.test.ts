import { describe, expect, test } from 'vitest'
import { openMailhost } from '#test/smtp.ts'
import { checkMail } from '../../mail.checks.ts'

describe('the doctor on mail', () => {
  const config = { mailUrl: undefined, production: true, publicUrl: undefined }

  test('warns of a production without it, and not of a development', async () => {
    expect(await checkMail(config)).toMatchObject([{ verdict: 'warn', what: 'none is sent' }])
    expect(await checkMail({ ...config, production: false })).toMatchObject([{ verdict: 'ok' }])
  })

  test('tries the server, and never shows its password', async () => {
    const found = await checkMail({ ...config, mailUrl: 'smtp://me:secret@127.0.0.1:9' })
    expect(found).toMatchObject([
      { verdict: 'warn', what: expect.stringContaining('127.0.0.1:9 does not take it') },
      { verdict: 'warn', what: 'has no links of its own' },
    ])
    expect(JSON.stringify(found)).not.toContain('secret')
  })

  test('is content with a server that takes it', async () => {
    const host = await openMailhost()
    const found = await checkMail({ ...config, mailUrl: host.url, publicUrl: 'https://atrium.example.com' })
    await host.close()
    expect(found).toMatchObject([{ verdict: 'ok' }])
  })
})
