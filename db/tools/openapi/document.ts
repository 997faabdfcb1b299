import { FailureView } from '../../../src/http/envelope.ts'
import { HEADERS } from './headers.ts'
import { headerParameters, NOT_MODIFIED, operationOf } from './operation.ts'
import { refusalExamples, sharedRefusals } from './refusals.ts'
import { collectRoutes } from './routes.ts'
import { type Json, openSchemas } from './schemas.ts'
import { tags } from './tags.ts'

/** The OpenAPI document of the service, from its routes and their shapes. The same text for the same source. */
export async function buildDocument(): Promise<Json> {
  const schemas = openSchemas()
  schemas.of(FailureView, 'output')
  const paths: Record<string, Json> = {}
  for (const route of await collectRoutes()) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operationOf(route, schemas)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Atrium',
      version: '1',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'Where this document comes from' }],
    tags,
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The `accessToken` of a sign-in.',
        },
      },
      parameters: sorted(headerParameters),
      headers: sorted(HEADERS),
      responses: sorted({ ...sharedRefusals, NotModified: NOT_MODIFIED }),
      examples: sorted(refusalExamples),
      schemas: sorted(schemas.components),
    },
  }
}

const INTRODUCTION = `The whole back end of an enterprise web application.`

function sorted(record: Json): Json {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
