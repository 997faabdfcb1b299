import { useEffect, useRef, useState } from './html.ts'
import { signedInAgain } from './me.ts'

/** Something that a person does, and how it went. */
export interface Command<Input extends unknown[]> {
  /** @returns whether it was done */
  run(...input: Input): Promise<boolean>
  isBusy: boolean
  /** why it was refused, until it is tried again */
  failure: unknown
  clear(): void
}

/**
 * Makes a command of a call of the API. `then` receives the answer; a refusal stays in `failure` for the form to show. If
 * the session has ended, the command goes on when its person has signed in again. Who has left the page meanwhile is not
 * led elsewhere by a late answer: `then` is no longer called.
 */
export function useCommand<Input extends unknown[], Answer>(
  call: (...input: Input) => Promise<Answer>,
  then?: (answer: Answer) => void,
): Command<Input> {
  const [state, setState] = useState<{ isBusy: boolean; failure?: unknown }>({ isBusy: false })
  const isHere = useRef(true)
  useEffect(
    () => () => {
      isHere.current = false
    },
    [],
  )
  return {
    ...{ isBusy: state.isBusy, failure: state.failure },
    clear: () => setState({ isBusy: false }),
    async run(...input) {
      setState({ isBusy: true })
      try {
        const answer = await call(...input)
        setState({ isBusy: false })
        if (isHere.current) then?.(answer)
        return true
      } catch (failure) {
        if (await signedInAgain(failure)) return this.run(...input)
        setState({ isBusy: false, failure })
        return false
      }
    },
  }
}
