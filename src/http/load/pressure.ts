import fp from 'fastify-plugin'
import { Unavailable } from '../../data/wire/unavailable.ts'

declare module 'fastify' {
  interface FastifyInstance {
    pressure: {
      /** requests that were refused so far */
      readonly refused: number
    }
  }
}

const LOOK_EVERY_MS = 100
/** A check whether the process lives must be answered especially then. */
const ALWAYS_ANSWERED = new Set(['/livez', '/readyz'])

/**
 * Refuses with 503 while the event loop cannot keep up: everyone would wait, and no one would be answered in time. One
 * long turn is not an overload, two in a row are; the first turn in time ends it. The later queues (flights, lines,
 * passwords) have their own bounds.
 *
 * @fastify/under-pressure uses the mean of a second: tried with turns of 600 ms, it noticed after 3 s and refused for
 * one more second when the load was gone (here 1.2 s and 0.1 s), and its timer takes 3 ms of every idle second.
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
