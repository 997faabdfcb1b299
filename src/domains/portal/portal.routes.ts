import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { faults, z } from '#atrium'
import { readSection, replaceSection } from './portal.actions.ts'
import { checkSection } from './portal.rules.ts'
import { PortalSection, SECTION_NAMES, SECTIONS, type Section, SectionParams } from './portal.schemas.ts'

const OPERATIONS = {
  home: 'getPublicHome',
  features: 'listPublicFeatures',
  product: 'getPublicProduct',
  pricing: 'listPublicPlans',
  faq: 'listPublicQuestions',
  docs: 'listPublicGuides',
  about: 'getPublicAbout',
} satisfies Record<Section, string>

/** The sections of a tenant's portal, read by anyone and replaced by holders of content:update. */
export const portalRoutes: FastifyPluginAsyncZod = async (app) => {
  for (const section of SECTION_NAMES) {
    app.get(
      `/public/${section}`,
      {
        config: {
          access: 'anyone',
          keeps: () => true,
          inLanguages: true,
          forMembers: true,
          ...(section === 'pricing' && { renews: true }),
        },
        schema: {
          operationId: OPERATIONS[section],
          summary: `Read the portal: ${section}`,
          description:
            "What the tenant has not written itself is in the reader's language, and of that its own people alone are shown plans, figures and names: they are proposals. Kept ready until the content changes.",
          response: { 200: SECTIONS[section] as z.ZodType },
        },
      },
      (req, reply) =>
        readSection(req.scope, section, { language: reply.inLanguage(), isMember: req.actor.kind === 'user' }),
    )
  }

  app.put(
    '/content/portal/:section',
    {
      config: { access: 'content:update', versionIn: 'nowhere' },
      schema: {
        operationId: 'replacePortalSection',
        summary: 'Replace a section of the portal',
        description:
          'The whole section, in the very shape in which `/public/{section}` answers the caller, whose ETag is the one for If-Match. Prices need `price:update` as well.',
        params: SectionParams,
        body: z.unknown().or(PortalSection),
        response: { 200: PortalSection },
      },
    },
    async (req, reply) => {
      const { section } = req.params
      const content = checkSection(section, req.body)
      if (section === 'pricing' && !req.user.permissions.has('price:update')) throw pricesAreNotYours()
      const tagOfContent = app.publicTag(SECTIONS[section] as z.ZodType)
      const saved = await req.transact((tx) => replaceSection(tx, section, content, req, tagOfContent, req.language))
      reply.header('etag', `"${tagOfContent(saved)}"`)
      return saved
    },
  )
}

function pricesAreNotYours() {
  const permission = 'price:update'
  return faults.permissionDenied([{ path: 'params.section', permission, message: '{permission} is not yours' }])
}
