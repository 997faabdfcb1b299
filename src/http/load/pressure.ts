import fp from 'fastify-plugin'
import { Unavailable } from '../../data/wire/unavailable.ts'

declare module 'fastify' {
  interface FastifyInstance {
    pressure: Pressure
  }
}

export interface Pressure {
  /** requests that were refused so far */
  readonly refused: number
}

const LOOK_EVERY_MS = 100
/** Whoever asks whether the process lives must hear it then above all. */
const ALWAYS_ANSWERED = new Set(['/livez', '/readyz'])

/**
 * Refuses with 503 while the event loop cannot keep up: everybody would wait, and nobody would be answered in time. One
 * long turn is no overload, two in a row are; the first turn in time ends it. The queues behind (flights, lines,
 * passwords) have bounds of their own.
 *
 * @fastify/under-pressure does more, with a timer and a histogram of its own; this is the part that is needed.
 */
export const pressure = fp<{ limit: number; now?: () => number }>(
  async (app, { limit, now = () => performance.now() }) => {
    let refused = 0
    let lateTurns = 0
    app.decorate('pressure', {
      get refused() {
        return refused
      },
    })
    if (limit === 0) return

    let expected = now() + LOOK_EVERY_MS
    const watch = setInterval(() => {
      lateTurns = now() - expected > limit ? lateTurns + 1 : 0
      expected = now() + LOOK_EVERY_MS
    }, LOOK_EVERY_MS).unref()
    app.addHook('onClose', async () => clearInterval(watch))

    app.addHook('onRequest', (req, _reply, done) => {
      if (lateTurns < 2 || ALWAYS_ANSWERED.has(req.url)) return done()
      refused++
      done(new Unavailable('the event loop cannot keep up'))
    })
  },
  { name: 'pressure', dependencies: ['failures', 'headers'] },
)
