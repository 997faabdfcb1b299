import { readFileSync } from 'node:fs'
import { listBody, MOST_RESULTS } from '../scim.rules.ts'

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

interface Schema {
  id: string
  name: string
  attributes: readonly object[]
}

/** What a directory asks first: what there is, and what of the standard is supported. @see RFC 7643, sections 5 to 7 */
export function discovery(base: string): Record<string, object> {
  const schemas = readSchemas().map((schema) => ({
    schemas: [`${CORE}:Schema`],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }))
  const types = ['User', 'Group'].map((name) => ({
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema: `${CORE}:${name}`,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }))
  return {
    '/ServiceProviderConfig': configOf(base),
    '/Schemas': wholeList(schemas),
    ...Object.fromEntries(schemas.map((schema) => [`/Schemas/${schema.id.replaceAll(':', '::')}`, schema])),
    '/ResourceTypes': wholeList(types),
    ...Object.fromEntries(types.map((type) => [`/ResourceTypes/${type.id}`, type])),
  }
}

function wholeList(resources: readonly object[]): object {
  return listBody(resources, resources.length, { startIndex: 1 })
}

function configOf(base: string): object {
  return {
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MOST_RESULTS },
    changePassword: { supported: true },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Key of a service account',
        description: 'Authorization: Bearer atr_…',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  }
}

function readSchemas(): Schema[] {
  return JSON.parse(readFileSync(new URL('./schemas.json', import.meta.url), 'utf8'))
}
