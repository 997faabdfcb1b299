type Value = number | undefined

/** Where values are reported that somebody reads now and then: each is asked for when they do, and costs nothing before. */
export interface Metrics {
  /**
   * A value that rises and falls. One that is undefined is not reported this time.
   * @param together how those of several processes become one; by default they are added
   */
  gauge(name: string, help: string, read: () => Value | Promise<Value>, together?: 'sum' | 'min' | 'max'): void
  /** How often something has happened since the start of this process. */
  counter(name: string, help: string, read: () => number): void
  /** The same by the values of a label. */
  counters(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void
}
