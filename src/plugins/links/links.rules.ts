import { type Config, outgoingMail, ports } from '#atrium'

/** A page that a link leads to: its button calls one operation, with the token of the link. */
export interface LinkPage {
  /** its address is /account/NAME */
  readonly name: string
  readonly en: LinkPageTexts
  readonly zh: LinkPageTexts
  /** its form, with the names that the operation gives them */
  readonly fields: readonly LinkField[]
  /** the operation that shows what the link is about, by its path below /api/v1 */
  readonly preview?: string
  /** the operation that the button calls */
  readonly action: string
}

export type LinkField = 'username' | 'nickname' | 'password' | 'newPassword'

/** `{name}` is a field of the form, or what the preview answers. */
export interface LinkPageTexts {
  readonly title: string
  readonly lead: string
  readonly submit: string
  readonly done: string
}

export const linkPages = ports<LinkPage>('a page that a link leads to')

type Addresses = Pick<Config, 'accountUrl' | 'publicUrl' | 'production' | 'port'>

/**
 * A link to one of the pages. Its token is in the fragment, so that no server logs it.
 * @param page the name of the page
 * @param origin that of the request, for a link that only the caller gets; it is used if the service does not know its own
 * address. Never for mail: anyone can send any Host.
 * @returns undefined in production if neither ACCOUNT_URL nor PUBLIC_URL is set
 */
export function accountLink(
  { accountUrl, publicUrl, production, port }: Addresses,
  page: string,
  token: string,
  origin?: string,
): string | undefined {
  const ours = publicUrl ?? (production ? origin : `http://localhost:${port}`)
  const base = accountUrl ?? (ours && `${withoutSlash(ours)}/account`)
  return base && `${withoutSlash(base)}/${page}#token=${token}`
}

/** Whether mail with links can leave this installation. */
export function sendsLinks(config: Addresses & Pick<Config, 'mailUrl'>): boolean {
  return outgoingMail.get().canSend(config) && accountLink(config, '', '') !== undefined
}

const withoutSlash = (url: string) => url.replace(/\/$/, '')
