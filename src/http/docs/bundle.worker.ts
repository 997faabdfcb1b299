import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

/** Tells the script that the plugin of Scalar would serve, compressed, and ends. */
const app = Fastify()
await app.register(scalar, { routePrefix: '/', configuration: { url: 'openapi.json' } })
const { rawPayload } = await app.inject('/js/scalar.js')
parentPort!.postMessage(gzipSync(rawPayload))
