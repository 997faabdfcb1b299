import { domain, openTracing } from '#atrium'
import { tracingOf } from './tracing-of.ts'

export default domain({
  name: 'tracing',
  about: 'Traces of requests for a collector, by OpenTelemetry',
  provides: [openTracing.by(tracingOf)],
})
