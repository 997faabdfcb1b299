import { useEffect, useState } from './html.ts'

/** One value that several parts of the page show. */
export interface Store<Value> {
  get(): Value
  set(value: Value): void
  /** The value inside a component, which is drawn again when it changes. */
  use(): Value
}

export function store<Value>(value: Value): Store<Value> {
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    use() {
      const [, draw] = useState({})
      useEffect(() => {
        const listener = () => draw({})
        listeners.add(listener)
        // It may have changed between the drawing and this.
        listener()
        return () => void listeners.delete(listener)
      }, [])
      return value
    },
  }
}
