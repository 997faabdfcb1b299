import { setTimeout as sleep } from 'node:timers/promises'
import { styleText } from 'node:util'
import { type Atrium, AtriumError, type NotificationEvent, type Refusal } from '../../client/index.ts'
import { printExchange, printNews } from './print.ts'
import type { Exchange, Wire } from './wire.ts'

/** Has calls made by the client, prints what it sends and what comes back, and insists on what it expects. */
export interface Guide {
  chapter(title: string): void
  /**
   * Makes a call and tells about it.
   * @param sentence what happens, for the reader
   * @param show the interesting part of what the client got; throws Surprise when it is not as it should be
   * @returns what the client got
   */
  tell<Told>(sentence: string, call: () => Promise<Told>, status: number, show: Show<Told>): Promise<Told>
  /** Makes a call that the service is to refuse, and tells about it. @returns the error that the client threw */
  refused<Type extends string>(
    sentence: string,
    call: () => Promise<unknown>,
    expected: [status: number, type: Type],
    show?: (error: Refusal<Type>) => string,
  ): Promise<Refusal<Type>>
  /** Listens to the notifications of a person while the tour goes on. */
  listen(sentence: string, person: Atrium): Promise<Line>
  summary(): string
}

type Show<Told> = (told: Told, answer: Response) => string | Promise<string>

/** An open line of notifications. */
export interface Line {
  /** Waits for the next event of this type and tells about it. */
  hear<Type extends EventType>(
    sentence: string,
    type: Type,
    show: (event: EventOf<Type>) => string,
  ): Promise<EventOf<Type>>
  hangUp(): void
}

type EventType = NotificationEvent['type']
type EventOf<Type extends EventType> = Extract<NotificationEvent, { type: Type }>

/** The answer is not the one that was announced. */
export class Surprise extends Error {}

const PATIENCE_MS = 2000

export function openGuide({ exchanges }: Wire): Guide {
  const started = performance.now()

  /** News arrives a moment after the act it tells of: a GET is asked again for a while before it counts as a surprise. */
  async function narrate<Told>(sentence: string, act: () => Promise<[told: Told, shown: string]>): Promise<Told> {
    console.log(`\n  ${sentence}`)
    for (const end = performance.now() + PATIENCE_MS; ; await sleep(50)) {
      const before = exchanges.length
      try {
        const [told, shown] = await act()
        print(exchanges.slice(before), shown)
        return told
      } catch (error) {
        const last = exchanges.at(-1)
        const hope = error instanceof Surprise && last?.answer?.status === 200 && last.method === 'GET'
        if (hope && performance.now() < end) continue
        print(exchanges.slice(before))
        throw error
      }
    }
  }

  const tell: Guide['tell'] = (sentence, call, status, show) =>
    narrate(sentence, async () => {
      const told = await call()
      const answer = exchanges.at(-1)?.answer
      hold(answer?.status === status, `${status}, but got ${answer?.status}`)
      return [told, await show(told, answer)]
    })

  return {
    chapter: (title) => console.log(`\n\n${styleText('bold', title)}`),
    tell,
    refused: (sentence, call, [status, type], show = ({ type, message }) => `${type}: ${message}`) =>
      narrate(sentence, async () => {
        const error: unknown = await call().then(
          () => 'none',
          (error) => error,
        )
        const asSaid = error instanceof AtriumError && error.status === status && error.is(type)
        hold(asSaid, `${status} ${type}, but got ${error}`)
        return [error, show(error)]
      }),
    async listen(sentence, person) {
      const hangUp = new AbortController()
      const events = person.notifications({ signal: hangUp.signal })
      const next = () => {
        const late = setTimeout(() => hangUp.abort(), PATIENCE_MS)
        return events.next().finally(() => clearTimeout(late))
      }
      const arrived = [await tell(sentence, next, 200, (_, { headers }) => headers.get('content-type')!)]
      return {
        async hear(sentence, type, show) {
          console.log(`\n  ${sentence}`)
          for (;;) {
            const { done, value } = arrived.shift() ?? (await next())
            hold(!done, `the event ${type} within ${PATIENCE_MS} ms`)
            if (!isOf(type, value)) continue
            printNews(`${type}: ${show(value)}`)
            return value
          }
        },
        hangUp: () => hangUp.abort(),
      }
    },
    summary: () =>
      `${exchanges.length} requests, every answer as expected, ${((performance.now() - started) / 1000).toFixed(1)} s`,
  }
}

function isOf<Type extends EventType>(type: Type, event: NotificationEvent): event is EventOf<Type> {
  return event.type === type
}

/** @param shown the interesting part of the last answer */
function print(exchanges: Exchange[], shown?: string) {
  const last = exchanges.pop()
  for (const exchange of exchanges) printExchange(exchange)
  if (last) printExchange(last, shown)
}

/** For what a status does not say: throws Surprise unless it is so. */
export function hold(so: boolean, what: string): asserts so {
  if (!so) throw new Surprise(`expected ${what}`)
}
