import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

/** Sends the compressed script that Scalar's plugin would serve, and ends. */
const app = Fastify()
await app.register(scalar, { routePrefix: '/', configuration: { url: 'openapi.json' } })
const { rawPayload } = await app.inject('/js/scalar.js')
parentPort!.postMessage(gzipSync(rawPayload))
