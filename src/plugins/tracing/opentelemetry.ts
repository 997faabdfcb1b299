import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, Span } from '@opentelemetry/api'
import type { Config, FastifyRequest, FlightError, Log } from '#atrium'
import type { Observe } from './observed-database.ts'

type TraceParent = FastifyRequest['traceParent']

/** Spans of requests, and of what they wait for. */
export interface Spans {
  /** Begins the span of a request, below the caller's if it names one, and runs the rest of it inside. */
  begin(caller: TraceParent, run: () => void): RequestSpan
  /** Begins a span below that of the current request; outside of a request, it does nothing. */
  watch: Observe
  /** Sends the remaining spans. Waits only a moment for a collector that is away. */
  close(): Promise<void>
}

export interface RequestSpan {
  traceId: string
  end(name: string, facts: Record<string, string | number | undefined>, failed: string | undefined): void
}

export interface SpanOptions {
  /** the collector: OTLP over HTTP, below this address */
  endpoint: string
  serviceName: string
  build: Config['build']
  /** the share of the traces beginning here that is kept, from 0 to 1 */
  share: number
  log: Log
}

const LAST_WORDS_MS = 2000
const EXPORT_WITHIN_MS = 2000
/** More spans than this between two exports are dropped. */
const MOST_SPANS = 8192
const EXPORT_EVERY_MS = 1000

/**
 * Opens the export of traces. OpenTelemetry is loaded only here, and only if it is configured.
 * @throws Error that names the packages if they are not installed
 */
export async function openSpans(options: SpanOptions, load = loadPackages): Promise<Spans> {
  const { api, sdk, resources, exporter } = await load().catch(explainMissing)
  const { endpoint, serviceName, build, share, log } = options
  api.diag.setLogger(quietly(log), api.DiagLogLevel.WARN)
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': serviceName,
      'service.version': build.version,
      ...(build.commit && { 'vcs.ref.head.revision': build.commit }),
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new exporter.OTLPTraceExporter({
          url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
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
    begin(caller, run) {
      const parent = contextOf(caller)
      const span = tracer.startSpan('request', { kind: api.SpanKind.SERVER }, parent)
      atWork.run(api.trace.setSpan(parent, span), run)
      return {
        traceId: span.spanContext().traceId,
        end(name, facts, failed) {
          span.updateName(name)
          span.setAttributes(facts)
          close(span, failed)
        },
      }
    },
    watch(name, facts) {
      const context = atWork.getStore()
      if (!context) return () => {}
      const span = tracer.startSpan(name, { kind: api.SpanKind.CLIENT, attributes: facts }, context)
      return (error) => close(span, error && kindOf(error))
    },
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
