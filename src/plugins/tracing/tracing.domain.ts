import { domain, openTracing } from '#atrium'
import { observed } from './observed-database.ts'
import { openSpans } from './opentelemetry.ts'
import { spanOfEach } from './request-spans.ts'

export default domain({
  name: 'tracing',
  about: 'Traces of requests for a collector, by OpenTelemetry',
  provides: [
    openTracing.by(async (config, log) => {
      if (!config.traceEndpoint) return undefined
      const spans = await openSpans(config, log)
      return {
        follow: (database) => observed(database, spans.watch),
        hooks: (app) => spanOfEach(app, spans),
        close: spans.close,
      }
    }),
  ],
})
