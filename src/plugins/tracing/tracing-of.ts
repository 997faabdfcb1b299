import type { Config, Log, Tracing } from '#atrium'
import { observed } from './observed-database.ts'
import { openSpans } from './opentelemetry.ts'
import { spanOfEach } from './request-spans.ts'

/** The traces of a service, if it has a collector. */
export async function tracingOf(config: Config, log: Log): Promise<Tracing | undefined> {
  const { traceEndpoint: endpoint, serviceName, build, traceShare: share } = config
  if (!endpoint) return undefined
  const spans = await openSpans({ endpoint, serviceName, build, share, log })
  return {
    follow: (database) => observed(database, spans.watch),
    hooks: (app) => spanOfEach(app, spans),
    close: spans.close,
  }
}
