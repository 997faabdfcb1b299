import { AddressRefused, lookupPublic } from '#atrium'
import { webhookFaults } from '../webhooks.rules.ts'

const PATIENCE_MS = 2000

/**
 * Refuses an address that leads to a private one now. It is looked at again at each attempt, so one whose name cannot be
 * looked up in time is accepted. @throws ADDRESS_REFUSED
 */
export async function assertPublicAddress(address: string): Promise<void> {
  try {
    await lookedUp(new URL(address))
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error
    throw webhookFaults.addressRefused([{ path: 'body.url', message: 'must lead to the public internet' }])
  }
}

/** A host that is an IP address is its own answer. */
function lookedUp({ hostname }: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(resolve, PATIENCE_MS)
    lookupPublic(hostname.replace(/^\[|\]$/g, ''), { all: true }, (error) => {
      clearTimeout(late)
      if (error instanceof AddressRefused) reject(error)
      else resolve()
    })
  })
}
