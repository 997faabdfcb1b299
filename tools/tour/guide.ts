import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual, styleText } from 'node:util'
import { AtriumError } from '../../client/index.ts'
import { printEvent, printExchange } from './print.ts'
import type { Wire } from './wire.ts'

/** The answer differs from the announced one. */
export class Surprise extends Error {}

/** What an answer must contain: these fields, or the result of a function, which is shown. */
type Wanted<Answer> = Fields<Answer> | ((answer: Answer, response: Response) => unknown)
type Fields<Answer> = Answer extends readonly unknown[]
  ? { length: number }
  : Answer extends object
    ? Partial<Answer>
    : object

/** A notification arrives a moment after the act that it reports. */
const WITHIN_MS = Number(process.env.TEST_PATIENCE_MS) || 60_000

/** Makes calls through the client, prints requests and answers, and checks them. */
export function openGuide({ exchanges }: Wire) {
  const started = performance.now()

  /** A GET is repeated for a while before its answer counts as a surprise. */
  async function narrate<Answer>(sentence: string, act: () => Promise<[Answer, shown: string]>): Promise<Answer> {
    console.log(`\n  ${sentence}`)
    for (const end = performance.now() + WITHIN_MS; ; await sleep(50)) {
      const before = exchanges.length
      try {
        const [answer, shown] = await act()
        for (const [at, exchange] of exchanges.slice(before).entries())
          printExchange(exchange, before + at === exchanges.length - 1 ? shown : undefined)
        return answer
      } catch (error) {
        const { method, answer } = exchanges.at(-1) ?? {}
        if (error instanceof Surprise && method === 'GET' && answer?.status === 200 && performance.now() < end) continue
        for (const exchange of exchanges.slice(before)) printExchange(exchange)
        throw error
      }
    }
  }

  /** Makes a call that succeeds with this status, and shows the wanted part of its answer. */
  function tell<Answer>(sentence: string, call: () => Promise<Answer>, status: number, wanted: Wanted<Answer>) {
    return narrate(sentence, () => successOf(call, status, wanted))
  }

  async function successOf<Answer>(
    call: () => Promise<Answer>,
    status: number,
    wanted: Wanted<Answer>,
  ): Promise<[Answer, shown: string]> {
    const answer = await call()
    const { answer: response } = exchanges.at(-1)!
    expect(response?.status === status, `${status}, but got ${response?.status}`)
    return [answer, await shownOf(answer, response!, wanted)]
  }

  /** Makes a call that is refused. @returns the error that the client threw */
  function refused<Type extends string>(
    sentence: string,
    call: () => Promise<unknown>,
    [status, type]: readonly [status: number, type: Type],
    show: (details: any[], error: AtriumError) => unknown = (_, error) => `${error.type}: ${error.message}`,
  ): Promise<AtriumError> {
    return narrate(sentence, async () => {
      const error: unknown = await call().then(
        () => 'a success',
        (error) => error,
      )
      expect(
        error instanceof AtriumError && error.status === status && error.type === type,
        `${status} ${type}, but got ${error}`,
      )
      return [error, String(show([...error.details], error))]
    })
  }

  /** Makes a call that the service may be configured to refuse. @returns undefined if it was refused */
  function attempt<Answer>(
    sentence: string,
    call: () => Promise<Answer>,
    [status, wanted]: readonly [status: number, wanted: Wanted<Answer>],
    [refusal, type]: readonly [status: number, type: string],
  ): Promise<Answer | undefined> {
    return narrate<Answer | undefined>(sentence, async () => {
      try {
        return await successOf(call, status, wanted)
      } catch (error) {
        if (!(error instanceof AtriumError) || error.status !== refusal || error.type !== type) throw error
        return [undefined, `${error.type}: ${error.message}`]
      }
    })
  }

  /** Waits for something that arrives from the service. */
  async function arrives(sentence: string, wait: () => Promise<string>): Promise<void> {
    console.log(`\n  ${sentence}`)
    const late = sleep(WITHIN_MS, undefined, { ref: false }).then(() => undefined)
    const shown = await Promise.race([wait(), late])
    expect(shown !== undefined, `it within ${WITHIN_MS} ms`)
    printEvent(shown)
  }

  return {
    chapter: (title: string) => console.log(`\n\n${styleText('bold', title)}`),
    tell,
    refused,
    attempt,
    arrives,
    summary: () =>
      `${exchanges.length} requests, every answer as expected, ${((performance.now() - started) / 1000).toFixed(1)} s`,
  }
}

/** Throws Surprise unless it holds. */
export function expect(so: boolean, what: string): asserts so {
  if (!so) throw new Surprise(`expected ${what}`)
}

async function shownOf<Answer>(answer: Answer, response: Response, wanted: Wanted<Answer>): Promise<string> {
  if (typeof wanted === 'function') return String(await wanted(answer, response))
  const fields = Object.entries(wanted).map(([name, value]) => {
    const got = (answer as Record<string, unknown>)[name]
    expect(isDeepStrictEqual(got, value), `${name} ${JSON.stringify(value)}, but got ${JSON.stringify(got)}`)
    return `${name} ${Array.isArray(got) ? got.join(', ') : got}`
  })
  return fields.join(', ') || 'done'
}
