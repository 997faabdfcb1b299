import { type Job, type System, system, type Tx, transact } from '#atrium'
import { findWithoutAppearance, listAlike, lockWithoutAppearance, saveAppearance } from '../people.store.ts'
import { appearanceOf } from './usernames.ts'

const MOST = 500
const HOUR_MS = 3600_000

/**
 * Fills the appearance of names in rows without one. They are older than these columns, or come from an older release
 * that runs in parallel. It runs soon after the start, then hourly.
 */
export const appearances: Job = {
  name: 'names',
  every: HOUR_MS,
  first: 1000,
  inTenants: {
    failed: 'what names look like was not filled in',
    where: async (scope) => (await findWithoutAppearance(scope, {})) !== undefined,
  },
  work: ({ tenantId }, { database }) => transact(database, { tenantId, actor: system, requestId: 'names' }, fillSome),
}

/** Locks the names. Existing people come before deleted ones, older before newer. @returns true if there may be more */
async function fillSome(tx: Tx<System>): Promise<boolean> {
  const rows = await lockWithoutAppearance(tx, { most: MOST })
  const wanted = rows.map((row) => {
    const username = row.username.normalize('NFC')
    const nickname = row.nickname?.normalize('NFC') ?? null
    return { id: row.id, before: row.username, username, nickname, ...appearanceOf(username, nickname) }
  })
  const alike = await listAlike(tx, {
    looks: wanted.map(({ look }) => look),
    skeletons: wanted.map(({ skeleton }) => skeleton),
    usernames: wanted.map(({ username }) => username),
  })
  const names = new Set([...alike.map(({ username }) => username), ...rows.map(({ username }) => username)])
  const looks = new Set(alike.map(({ look }) => look))
  const skeletons = new Set(alike.map(({ skeleton }) => skeleton))
  for (const { before, ...name } of wanted) {
    const isTwin = looks.has(name.look) || skeletons.has(name.skeleton)
    if (name.username !== before && names.has(name.username)) name.username = before
    if (isTwin) Object.assign(name, { look: unlike(name.id), skeleton: unlike(name.id) })
    saveAppearance(tx, name)
    names.add(name.username)
    looks.add(name.look)
    skeletons.add(name.skeleton)
  }
  return rows.length === MOST
}

/** A unique value: no name has a control character. */
function unlike(id: number): string {
  return `\u0001${id}`
}
