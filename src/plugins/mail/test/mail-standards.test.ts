import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { expect, test } from 'vitest'
import { newFolder } from '#test/folder.ts'
import '#test/domains.ts'
import { findProgram } from '#test/programs.ts'
import { allMailKinds } from '../../../kernel/words/mails.ts'
import { LANGUAGES } from '../../../kernel/words/sentence.ts'
import { laidOut, letterOf } from '../sending/compose.ts'
import { filePost } from '../sending/mailbox.ts'

/** Every kind of mail in every language, as a server gets it, read by a parser that nobody here wrote. */
const KINDS = allMailKinds()
const DATE =
  /^Date: (Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d \+0000\r$/m
const folder = newFolder()

const post = filePost(folder, 'Ünïcode, “Ltd” <no-reply@example.com>')
for (const [at, kind] of KINDS.entries())
  for (const language of LANGUAGES) {
    const facts = new Proxy({}, { has: () => true, get: () => '审计 "Ünï"\r\nBcc: eve@example.org 🎉' })
    const letter = letterOf(kind, language, 'Ünï & 公司', { facts, link: 'https://atrium.example.com/a#token=1' })
    const date = new Date(Date.UTC(2026, 10, 1 + at, 18, 58, 36, 565)).toISOString()
    await post.send(
      { to: 'ada@example.org', key: `${kind}-${language}`, language, date, ...laidOut(letter) },
      AbortSignal.timeout(60_000),
    )
  }
const mails = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))

test('the date is written as RFC 5322 wants it, a line is no longer than a server takes, and no name adds a header', () => {
  expect(mails()).toHaveLength(KINDS.length * LANGUAGES.length)
  for (const text of mails()) {
    const head = text.slice(0, text.indexOf('\r\n\r\n') + 2)
    expect(head).toMatch(DATE)
    expect(head).not.toMatch(/^bcc:/im)
    for (const line of text.split('\r\n')) {
      expect(line).not.toMatch(/[\r\n]/)
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(998)
    }
  }
})

test('mailparser reads sender, receiver, date, both texts and nothing else', async () => {
  for (const text of mails()) {
    const { from, to, bcc, date, subject, text: plain, html, attachments } = await simpleParser(text)
    expect(from!.value).toEqual([{ name: 'Ünïcode, “Ltd”', address: 'no-reply@example.com' }])
    expect([to].flat()[0]!.value).toEqual([{ name: '', address: 'ada@example.org' }])
    expect([date!.getUTCFullYear(), date!.getUTCHours(), bcc, attachments]).toEqual([2026, 18, undefined, []])
    for (const part of [subject, plain, html]) expect(part).toMatch(/\S/)
    expect(plain).toContain('Ünï & 公司')
    expect(html).toContain('Ünï &amp; 公司')
  }
})

const READ = `
import email, email.policy, sys
for path in sys.argv[1:]:
    mail = email.message_from_file(open(path, newline=''), policy=email.policy.default)
    for part in mail.walk():
        print(*[repr(defect) for defect in part.defects], end='')
        for name, value in part.items():
            print(*[name + ': ' + repr(defect) for defect in value.defects], end='')
`
test.skipIf(!findProgram('python3'))('the parser of Python finds no defect in any header or part', () => {
  const paths = readdirSync(folder).map((name) => join(folder, name))
  const { stdout, stderr } = spawnSync('python3', ['-c', READ, ...paths], { encoding: 'utf8' })
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' })
})
