import { Secret, TOTP } from 'otpauth'
import type { Tx } from '../src/data/tx/scope.ts'
import { listAdministratorIds, listRolesByCode } from '../src/domains/roles/roles.ts'
import { nameSubstitute } from '../src/domains/substitutes/substitutes.actions.ts'
import { saveKey } from '../src/plugins/calendar/calendar.store.ts'
import { invite, type Links } from '../src/plugins/invitations/invitations.actions.ts'
import { findInvited, makeMember } from '../src/plugins/invitations/invitations.ts'
import { createAccount, issueKey } from '../src/plugins/keys/keys.actions.ts'
import { beginSecondFactor, confirmSecondFactor } from '../src/plugins/second-factor/second-factor.actions.ts'
import { loadTotp } from '../src/plugins/second-factor/totp.ts'
import { updateSettings } from '../src/plugins/settings/settings.actions.ts'
import { createWebhook } from '../src/plugins/webhooks/webhooks.actions.ts'
import { maskOf } from '../src/plugins/webhooks/webhooks.rules.ts'
import { drawToken, hashToken } from '../src/util/secrets/token.ts'
import { SECOND_FACTOR } from './companies.ts'
import type { Way } from './deeds.ts'
import type { Deeds } from './steps.ts'

/** What the present needs besides the story. */
export interface Office {
  links: Links
  passwordHash: string
  /** Shows what nobody can read again. */
  show(what: string, secret: string): void
}

type Present =
  | 'change settings'
  | 'invite'
  | 'accept invitation'
  | 'name substitute'
  | 'add second factor'
  | 'share calendar'
  | 'make service account'
  | 'make key'
  | 'make webhook'

const DAY_MS = 86_400_000
const STEP_MS = 30_000

/** What is so while the demo is looked at: who is invited, who is away, which systems call. */
export const PRESENT: { [D in Present & keyof Deeds]: Way<D> } = {
  'change settings': {
    left: ({ settings }, { policy }) => policy.timeZone === settings.timeZone,
    act: (tx, { settings }) => updateSettings(tx, settings),
  },
  invite: {
    left: ({ email }, { invitations }) => invitations.has(email),
    act: (tx, { email, note, into, isOpen }, { the, office: { links } }) => {
      const draft = { email, note, departmentId: the(`department ${into}`).id, roleIds: undefined }
      // A mail of long ago has left.
      return invite(tx, draft, isOpen ? links : { ...links, mailed: undefined })
    },
  },
  'accept invitation': {
    left: ({ username }, { users }) => users.has(username),
    async act(tx: Tx<any>, { email, username, name }, { office: { passwordHash } }) {
      const invited = (await findInvited(tx, email))!
      const person = { username, nickname: name, passwordHash, emailVerifiedAt: tx.now }
      await makeMember(tx, invited, person, await listAdministratorIds(tx, {}))
    },
  },
  'name substitute': {
    left: ({ by }, { substituted }) => substituted.has(by),
    act: (tx, { substitute }, { person }) => {
      const day = (away: number) => new Date(Date.now() + away * DAY_MS).toISOString().slice(0, 10)
      return nameSubstitute(tx, tx.actor.id, { userId: person(substitute), from: day(-2), until: day(12) } as never)
    },
  },
  'add second factor': {
    left: ({ by }, { users }) => users.get(by)?.secondFactorAt != null,
    async act(tx) {
      await beginSecondFactor(tx, SECOND_FACTOR)
      // The code of the step before, so that the current one still signs in.
      await confirmSecondFactor(tx, await loadTotp(), codeNow(-1))
    },
  },
  'share calendar': {
    left: ({ by }, { calendars }) => calendars.has(by),
    act: (tx, { by }, { office }) => {
      const key = drawToken(tx.tenantId)
      saveKey(tx, { userId: tx.actor.id, keyHash: hashToken(key) })
      office.show(`The calendar of ${by}`, `/api/v1/calendar/${key}.ics`)
    },
  },
  'make service account': {
    about: ({ name }) => `system ${name}`,
    left: ({ name }, { users }) => users.get(name),
    async act(tx, { name }) {
      // The role of the administrator, which the key narrows.
      const [role] = await listRolesByCode(tx, { code: tx.actor.roles[0]! })
      return createAccount(tx, { name, roleIds: [role!.id] } as never)
    },
  },
  'make key': {
    left: ({ name }, { keys }) => keys.has(name),
    async act(tx, { account, name, permissions }, { the, office }) {
      const { key } = await issueKey(tx, the(`system ${account}`).id, { name, permissions })
      office.show(`The key of ${account}`, key)
    },
  },
  'make webhook': {
    // Of one whose key is lost, or that was imported, only the host is known.
    left: ({ url }, { webhooks }) => webhooks.has(url) || webhooks.has(maskOf(url)),
    // The receiver is made up, so nothing is sent to it.
    act: (tx, { url, types, description }) => createWebhook(tx, { url, types, description, status: 'paused' }),
  },
}

/** The code of the demo's second factor. @param away steps from the current one */
export function codeNow(away = 0): string {
  return new TOTP({ secret: Secret.fromBase32(SECOND_FACTOR) }).generate({ timestamp: Date.now() + away * STEP_MS })
}
