import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Transporter } from 'nodemailer'
import type { Email } from 'postal-mime'
import type { Config } from '#atrium'
import { envelopeOf, ONLY_ITS_OWN, type Post } from './post.ts'

const FROM = 'Atrium <atrium@localhost>'
/** More are not kept; the oldest go first. */
const MOST = 500
/** The time, so that names are in order, and the mail's key. */
const ID = /^\d{13}-[0-9a-f-]{36}$/

/** Where development keeps what it would send, as `.eml` files. */
export function folderOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return resolve(dataDir, 'mail')
}

/** Puts mails into the folder. @param from MAIL_FROM */
export function filePost(folder: string, from = FROM): Post {
  let transport: Promise<Transporter> | undefined

  async function open(): Promise<Transporter> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { createTransport } = await import('nodemailer')
    return createTransport({ ...ONLY_ITS_OWN, streamTransport: true, buffer: true, newline: 'windows' }) as never
  }

  return {
    async send(message) {
      transport ??= open()
      const { message: bytes } = (await (await transport).sendMail(envelopeOf(message, from))) as { message: Buffer }
      const name = `${Date.parse(message.date)}-${message.key}.eml`
      // Written elsewhere and moved into place, so that nobody reads half a mail.
      const draft = join(folder, `${name}.draft`)
      await writeFile(draft, bytes, { mode: 0o600 })
      await rename(draft, join(folder, name))
      const old = (await listNames(folder)).slice(MOST)
      await Promise.all(old.map((each) => rm(join(folder, each), { force: true })))
    },
    close() {},
  }
}

/** A mail of the folder; undefined if there is none. */
export async function readMail(folder: string, id: string): Promise<Email | undefined> {
  if (!ID.test(id)) return undefined
  const { default: PostalMime } = await import('postal-mime')
  const bytes = await readFile(join(folder, `${id}.eml`)).catch(() => undefined)
  return bytes && PostalMime.parse(bytes)
}

/** The mails of the folder, the newest first. */
export async function readMails(folder: string): Promise<{ id: string; mail: Email }[]> {
  const ids = (await listNames(folder)).slice(0, MOST).map((name) => name.replace(/\.eml$/, ''))
  const mails = await Promise.all(ids.map(async (id) => ({ id, mail: await readMail(folder, id) })))
  return mails.flatMap(({ id, mail }) => (mail ? [{ id, mail }] : []))
}

/** The newest first; none if the folder is not there yet. */
async function listNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => ID.test(name.replace(/\.eml$/, '')) && name.endsWith('.eml'))
    .sort()
    .reverse()
}
