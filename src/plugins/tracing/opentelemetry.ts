import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Context, Span } from '@opentelemetry/api'
import type { Config, FastifyRequest, FlightError, Log } from '#atrium'
import type { Observe } from './observed-database.ts'

type TraceParent = FastifyRequest['traceParent']

type Traced = Pick<Config, 'traceEndpoint' | 'serviceName' | 'build' | 'traceShare'>
export type Spans = Awaited<ReturnType<typeof openSpans>>

const LAST_WORDS_MS = 2000
const EXPORT_WITHIN_MS = 2000
/** More spans than this between two exports are dropped. */
const MOST_SPANS = 8192
const EXPORT_EVERY_MS = 1000

/**
 * Opens the export of traces. OpenTelemetry is loaded only here, and only if it is configured.
 * @throws Error that names the packages if they are not installed
 */
export async function openSpans(config: Traced, log: Log, load = loadPackages) {
  const { traceEndpoint, serviceName, build, traceShare } = config
  const { api, sdk, resources, exporter } = await load().catch(explainMissing)
  api.diag.setLogger(quietly(log), api.DiagLogLevel.WARN)
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': serviceName,
      'service.version': build.version,
      ...(build.commit && { 'vcs.ref.head.revision': build.commit }),
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(traceShare) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new exporter.OTLPTraceExporter({
          url: `${traceEndpoint!.replace(/\/$/, '')}/v1/traces`,
          timeoutMillis: EXPORT_WITHIN_MS,
        }),
        scheduledDelayMillis: EXPORT_EVERY_MS,
        maxQueueSize: MOST_SPANS,
      }),
    ],
  })
  const tracer = provider.getTracer('atrium')
  // All that @opentelemetry/context-async-hooks would do here, through a global of the API.
  const atWork = new AsyncLocalStorage<Context>()

  return {
    /** Begins the span of a request, below the caller's if it names one, and runs the rest of it inside. */
    begin(caller: TraceParent, run: () => void) {
      const parent = contextOf(caller)
      const span = tracer.startSpan('request', { kind: api.SpanKind.SERVER }, parent)
      atWork.run(api.trace.setSpan(parent, span), run)
      return {
        traceId: span.spanContext().traceId,
        end(name: string, facts: Attributes, failed: string | undefined) {
          span.updateName(name)
          span.setAttributes(facts)
          close(span, failed)
        },
      }
    },
    /** Begins a span below that of the current request; outside of a request, it does nothing. */
    watch(name: string, facts: Attributes): ReturnType<Observe> {
      const context = atWork.getStore()
      if (!context) return () => {}
      const span = tracer.startSpan(name, { kind: api.SpanKind.CLIENT, attributes: facts }, context)
      return (error) => close(span, error && kindOf(error))
    },
    /** Sends the remaining spans. Waits only a moment for a collector that is away. */
    async close() {
      const { promise, resolve } = Promise.withResolvers<void>()
      const late = setTimeout(resolve, LAST_WORDS_MS)
      await Promise.race([provider.shutdown().catch(() => {}), promise])
      clearTimeout(late)
    },
  }

  function contextOf(parent: TraceParent): Context {
    if (!parent) return api.ROOT_CONTEXT
    const { traceId, spanId, flags } = parent
    return api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote: true })
  }

  function close(span: Span, failed: string | undefined) {
    if (failed) span.setStatus({ code: api.SpanStatusCode.ERROR }).setAttribute('error.type', failed)
    span.end()
  }
}

/** The kind of failure; its message may quote a value. */
function kindOf({ code, name }: FlightError): string {
  return code ?? name
}

async function loadPackages() {
  const [api, sdk, resources, exporter] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  return { api, sdk, resources, exporter }
}

function explainMissing(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  throw new Error(
    'OTEL_EXPORTER_OTLP_ENDPOINT is set, which needs packages: npm install @opentelemetry/api @opentelemetry/sdk-trace @opentelemetry/resources @opentelemetry/exporter-trace-otlp-http',
    { cause: error },
  )
}

/** The exporter complains at each attempt; we log one line per interval. */
function quietly(log: Log) {
  const warn = (message: string) => log.warn({ reason: message.slice(0, 300) }, 'traces could not be exported')
  const nothing = () => {}
  return { error: warn, warn, info: nothing, debug: nothing, verbose: nothing }
}
