import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyContextConfig, FastifySchema } from 'fastify'
import fp from 'fastify-plugin'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { enveloped, FailureView } from './envelope.ts'

const ABOUT =
  'The whole back end of an enterprise web application. A refusal is told in the language of `Accept-Language`: ' +
  '`en` or `zh-CN`; its `error.type` is the same in each.'

/** `/openapi.json` and the interactive page `/docs`, which works offline: its files come with the package. */
export const docs = fp(
  async (app) => {
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: { title: 'Atrium', version: '1', description: ABOUT },
        components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      },
      transform: (route: any) => jsonSchemaTransform({ ...route, schema: described(route) }),
      transformObject: jsonSchemaTransformObject,
    } as never)
    await app.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      // The service may be reached over plain HTTP; upgraded, the page's own files would not load.
      transformStaticCSP: (policy) => policy.replace(' upgrade-insecure-requests;', ''),
      uiConfig: { persistAuthorization: true, docExpansion: 'list' },
    })
    app.get('/openapi.json', { schema: { hide: true } as never }, (_req, reply) =>
      reply
        .serializer(JSON.stringify as never)
        .type('application/json')
        .send(app.swagger()),
    )
  },
  { name: 'docs' },
)

/** What every operation has in common: the envelope, the one failure, the headers, the access. */
function described({
  schema,
  route,
  url,
}: {
  schema?: FastifySchema & { response?: Record<string, z.ZodType> }
  route: any
  url: string
}) {
  const access = route?.config?.access
  if (!schema?.response || !access) return { hide: true, ...schema }
  const answers = Object.entries(schema.response).map(([status, view]) => [
    status,
    view instanceof z.ZodType ? enveloped(view) : view,
  ])
  const headers = headersOf(route.config)
  const security = access === 'anyone' ? [] : [{ token: [] }]
  return {
    ...schema,
    tags: [url.replace('/api/v1/', '').split('/')[0]!],
    security,
    'x-access': access,
    ...(headers && { headers }),
    response: { ...Object.fromEntries(answers), default: FailureView },
  }
}

function headersOf({ idempotent, versionIn }: FastifyContextConfig): z.ZodObject | undefined {
  if (idempotent) return z.object({ 'idempotency-key': z.string().min(1).max(128) })
  if (versionIn) return z.object({ 'if-match': z.string().optional().describe('The ETag of what was read') })
  return undefined
}
