import { type Database, everyTenant, type Sweep, type System, startSweep, system, type Tx, transact } from '#atrium'
import { appearanceOf } from './names.ts'
import { findUnsettled, listAlike, lockUnsettled, settleName } from './people.store.ts'

const MOST = 500
const HOUR_MS = 3600_000

/**
 * Writes what names look like where nothing says so yet: they are older than that, or come from an older release that runs
 * beside this one. For the first time soon after the start.
 */
export function startSettlingNames(database: Database): Sweep {
  return startSweep(database.log, { what: 'names', pause: HOUR_MS, first: 1000 }, (stopping) =>
    settleNames(database, stopping),
  )
}

/** Runs in every tenant, batch by batch; what fails in one does not keep the others waiting. @returns how many were settled */
export async function settleNames(database: Database, stopping?: AbortSignal): Promise<number> {
  let settled = 0
  for await (const scope of everyTenant(database, stopping))
    try {
      const command = { tenantId: scope.tenantId, actor: system, requestId: 'names' }
      if (!(await findUnsettled(scope, {}))) continue
      for (let count = MOST; count === MOST && !stopping?.aborted; settled += count)
        count = await transact(database, command, settleSome)
    } catch (error) {
      database.log.warn({ err: String(error), tenantId: scope.tenantId }, 'names could not be settled')
    }
  return settled
}

/** Nobody changes what they are called meanwhile. Those who are there come before those who have gone, and the older before the younger. */
async function settleSome(tx: Tx<System>): Promise<number> {
  const rows = await lockUnsettled(tx, { most: MOST })
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
    settleName(tx, name)
    names.add(name.username)
    looks.add(name.look)
    skeletons.add(name.skeleton)
  }
  return rows.length
}

/** What no name looks like: none has a control character. */
function unlike(id: number): string {
  return `\u0001${id}`
}
