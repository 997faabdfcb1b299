import { Surprise } from './guide.ts'

/** Whether the service keeps its mails for looking at, as it does in development without MAIL_URL. */
export async function hasMailbox(baseUrl: string): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/mail`).catch(() => undefined)
  return answer?.ok === true
}

/** The newest mail to an address that says something. @throws Surprise as long as it has not arrived */
export async function mailTo(
  visit: (path: string) => Promise<Response>,
  address: string,
  says: RegExp,
): Promise<RegExpExecArray> {
  const list = await (await visit('/mail')).text()
  const mails = list.matchAll(/<a href="(\/mail\/[^"]+)">[^<]*<\/a><br><span class="quiet">to ([^,]+),/g)
  for (const [, path, receiver] of mails) {
    if (receiver !== address) continue
    const said = says.exec(await (await visit(path!)).text())
    if (said) return said
  }
  throw new Surprise(`expected a mail to ${address}`)
}
