import { createServer } from 'node:http'
import { endsWithFile } from '#test/clean-up.ts'
import { onLoopback } from '#test/on-loopback.ts'
import { until } from '#test/patience.ts'

export interface CollectedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  kind: number
  attributes: Record<string, string | number>
  /** 2 is an error */
  status: number
}

/** Receives traces as a collector does: OTLP over HTTP, in JSON. */
export interface Collector {
  endpoint: string
  spans: CollectedSpan[]
  /** everything that was sent, as text */
  text(): string
  /**
   * The spans of a request, once its root has arrived. It is made again until then, because the service drops what a slow
   * collector has not taken in two seconds.
   * @param ask makes it, and tells the id of its trace
   */
  traced(root: string, ask: () => Promise<string>): Promise<CollectedSpan[]>
  close(): Promise<void>
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    bodies.push(`${req.url} ${JSON.stringify(req.headers)} ${body}`)
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans)
      for (const { spans: received } of scopeSpans) spans.push(...received.map((span: any) => read(span, resource)))
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const { url, close } = await onLoopback(server)
  return {
    endpoint: url,
    spans,
    text: () => bodies.join('\n'),
    async traced(root, ask) {
      const asked: string[] = []
      return until(async () => {
        asked.push(await ask())
        const traces = asked.map((id) => spans.filter(({ traceId }) => traceId === id))
        return traces.find((trace) => trace.some(({ name }) => name === root)) ?? false
      }, 1000)
    },
    close: endsWithFile(close),
  }
}

function read(span: any, resource: any): CollectedSpan {
  const contentOf = ({ value }: any) => value.stringValue ?? Number(value.intValue ?? value.doubleValue)
  const attributes = [...resource.attributes, ...span.attributes].map((it: any) => [it.key, contentOf(it)])
  return {
    name: span.name,
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId || undefined,
    kind: span.kind,
    attributes: Object.fromEntries(attributes),
    status: span.status?.code ?? 0,
  }
}
