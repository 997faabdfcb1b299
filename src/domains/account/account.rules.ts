import { type Config, fault } from '#atrium'
import { canSendMail } from '#atrium/mail'

export const accountFaults = {
  resetNotFound: fault('RESET_NOT_FOUND', 404, 'This link for a new password cannot be used any more; ask for another'),
  emailTokenNotFound: fault('EMAIL_TOKEN_NOT_FOUND', 404, 'This link cannot be used any more; enter the address again'),
  addressNotConfigured: fault(
    'ADDRESS_NOT_CONFIGURED',
    409,
    'The service does not know its own address, so it can send no links',
  ),
}

/** The pages that links lead to. */
export const PAGES = ['invitation', 'password', 'email'] as const
export type AccountPage = (typeof PAGES)[number]

/** The network's limit for `most` resets an hour of one account: 20 for 3. */
export function mostOfNetwork(most: number): number {
  return Math.ceil((most * 20) / 3)
}

type Addresses = Pick<Config, 'accountUrl' | 'publicUrl' | 'production' | 'port'>

/**
 * A link to one of the pages. Its token is in the fragment, so that no server logs it.
 * @param origin that of the request, for a link that only the caller gets; it is used if the service does not know its own
 * address. Never for mail: anyone can send any Host.
 * @returns undefined in production if neither ACCOUNT_URL nor PUBLIC_URL is set
 */
export function accountLink(
  { accountUrl, publicUrl, production, port }: Addresses,
  page: AccountPage,
  token: string,
  origin?: string,
): string | undefined {
  const ours = publicUrl ?? (production ? origin : `http://localhost:${port}`)
  const base = accountUrl ?? (ours && `${withoutSlash(ours)}/account`)
  return base && `${withoutSlash(base)}/${page}#token=${token}`
}

/** Whether mail with links can leave this installation. */
export function sendsLinks(config: Addresses & Pick<Config, 'mailUrl'>): boolean {
  return canSendMail(config) && accountLink(config, 'password', '') !== undefined
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url
}
