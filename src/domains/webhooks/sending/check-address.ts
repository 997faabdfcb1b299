import { AddressRefused, assertPublicHost, lookupPublic } from '#atrium'
import { webhookFaults } from '../webhooks.rules.ts'

const PATIENCE_MS = 2000

/**
 * Refuses an address that leads to a private one now. It is looked at again at each attempt, so one whose name cannot be
 * looked up in time is accepted. @throws ADDRESS_REFUSED
 */
export async function assertPublicAddress(address: string): Promise<void> {
  const url = new URL(address)
  try {
    assertPublicHost(url)
    await lookedUp(url)
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error
    throw webhookFaults.addressRefused([{ path: 'body.url', message: 'must lead to the public internet' }])
  }
}

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
