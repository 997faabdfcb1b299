import { isOutage, isRefusal } from './api.ts'
import { useEffect, useRef, useState } from './html.ts'
import { language } from './language.ts'
import { isPastEnd, sessionEnd } from './me.ts'
import { reach } from './reach.ts'

/** What a page has read, is reading, or could not read. */
export interface Loaded<Data> {
  /** what was read last; it stays while it is read again */
  data: Data | undefined
  failure: unknown
  isLoading: boolean
  /** Reads it again. */
  again(): void
}

/** What the service itself needs, such as its database, may be away longer than the service: it is asked this often. */
const PAUSE_MS = 2000

/**
 * Reads something when the component appears, and again when one of `needs` changes. What failed because the service was
 * away is read again when it is back, and what failed because the session had ended when its person has signed in again.
 */
export function useLoad<Data>(read: (signal: AbortSignal) => Promise<Data>, needs: readonly unknown[]): Loaded<Data> {
  const [state, setState] = useState<{ data?: Data; failure?: unknown; isLoading: boolean }>({ isLoading: true })
  const [turn, setTurn] = useState(0)
  const isReachable = reach.use() === 'here'
  const isSignedIn = sessionEnd.use() === undefined
  const waits = isOutage(state.failure)

  useEffect(() => {
    const controller = new AbortController()
    setState((before) => ({ ...before, isLoading: true }))
    read(controller.signal).then(
      (data) => controller.signal.aborted || setState({ data, isLoading: false }),
      (failure) => {
        if (controller.signal.aborted) return
        isPastEnd(failure)
        setState(({ data }) => ({ data: data!, failure, isLoading: false }))
      },
    )
    return () => controller.abort()
  }, [...needs, turn, language()])
  useEffect(() => {
    if (isSignedIn && isRefusal(state.failure, 'UNAUTHENTICATED')) setTurn((before) => before + 1)
  }, [isSignedIn])
  useEffect(() => {
    if (!isReachable || !waits) return
    const timer = setTimeout(() => setTurn((before) => before + 1), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isReachable, state.failure])

  return {
    data: state.data,
    failure: state.failure,
    isLoading: state.isLoading,
    again() {
      setState((before) => ({ ...before, isLoading: true }))
      setTurn((before) => before + 1)
    },
  }
}

/** Reads it again so many ms after each answer, while the page can be seen; never without a time. */
export function useRepeat({ isLoading, again }: Loaded<unknown>, ms: number | undefined): void {
  useEffect(() => {
    if (isLoading || !ms) return
    const timer = setInterval(() => document.hidden || again(), ms)
    return () => clearInterval(timer)
  }, [isLoading, ms])
}

/** The rows of a list that goes on, so many at a time. */
export interface Rows<Row> extends Loaded<Row[]> {
  /** undefined at the end of the list */
  more: (() => void) | undefined
}

/** So many rows are shown at first. */
export const AT_A_TIME = 50

/** Reads the beginning of a list; `more` reads on. `open` starts the walk through the list, as `api.each.…` does. */
export function useRows<Row>(open: (signal: AbortSignal) => AsyncGenerator<Row>, needs: readonly unknown[]): Rows<Row> {
  const walk = useRef<AsyncGenerator<Row>>(null!)
  const read = useRef<AsyncGenerator<Row>>(null)
  const [rows, setRows] = useState<{ later: Row[]; ended: boolean; failure?: unknown }>({ later: [], ended: false })
  const first = useLoad(async (signal) => {
    walk.current = open(signal)
    const { some, ended } = await take(walk.current, AT_A_TIME)
    if (!signal.aborted) setRows({ later: [], ended })
    return some
  }, needs)
  const more = async () => {
    if (first.isLoading || read.current === walk.current) return
    // A walk that has failed is over: another one takes its place, and goes as far.
    if (rows.failure) walk.current = open(new AbortController().signal)
    const current = walk.current
    read.current = current
    try {
      if (rows.failure) await take(current, first.data!.length + rows.later.length)
      const { some, ended } = await take(current, AT_A_TIME)
      // Meanwhile the list may have become another one.
      if (walk.current === current) setRows(({ later }) => ({ later: [...later, ...some], ended }))
    } catch (failure) {
      if (walk.current === current) setRows((before) => ({ ...before, failure }))
    }
    if (read.current === current) read.current = null
  }
  return {
    ...first,
    data: first.data && [...first.data, ...rows.later],
    failure: first.failure ?? rows.failure,
    again: rows.failure ? () => void more() : first.again,
    more: rows.ended || !first.data ? undefined : () => void more(),
  }
}

async function take<Row>(walk: AsyncGenerator<Row>, most: number): Promise<{ some: Row[]; ended: boolean }> {
  const some: Row[] = []
  while (some.length < most) {
    const { done, value } = await walk.next()
    if (done) return { some, ended: true }
    some.push(value)
  }
  return { some, ended: false }
}
