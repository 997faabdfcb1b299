/** The span of a caller, from its header. */
export interface TraceParent {
  traceId: string
  spanId: string
  flags: number
}

/** Neither id may be all zeros. */
const HEADER = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})/

/**
 * Parses a `traceparent`; undefined if there is none. The log needs it with or without OpenTelemetry, whose propagator
 * would be loaded at every start for this one line.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function readTraceParent(header: string | string[] | undefined): TraceParent | undefined {
  const parts = header === undefined ? null : HEADER.exec(String(header))
  return parts ? { traceId: parts[1]!, spanId: parts[2]!, flags: Number.parseInt(parts[3]!, 16) } : undefined
}
