import { store } from './store.ts'

/** Whether the service answers. The page asks a few times a minute while it can be seen, and more often while it is away. */
export const reach = store<'here' | 'away'>('here')

const PAUSE_MS = { here: 5000, away: 2000 }
/** Without an answer for so long, the service counts as away. */
export const PATIENCE_MS = 8000

/** Begins to watch; called once. */
export async function watchReach(): Promise<never> {
  for (;;) {
    if (!document.hidden) reach.set(await look())
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS[reach.get()]))
  }
}

async function look(): Promise<'here' | 'away'> {
  try {
    const answer = await fetch('/livez', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) })
    return answer.ok ? 'here' : 'away'
  } catch {
    return 'away'
  }
}
