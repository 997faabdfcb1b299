import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { faults, z } from '#atrium'
import { fileFaults } from '#atrium/files'
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
            "Sections that the tenant has not edited have default texts in the reader's language. Default plans, figures and names are only examples and are shown only to the tenant's own users; such plans cannot be ordered. The response is cached until the content changes.",
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
          "Send the whole section in the shape that `/public/{section}` returns to the caller. That response's ETag is the value for If-Match. Prices also need `price:update`. A file of the tenant that the section names becomes public, so only its uploader or a holder of `file:manage` can name it, and as a picture only an image.",
        params: SectionParams,
        body: z.unknown().or(PortalSection),
        response: { 200: PortalSection },
        refuses: [fileFaults.notFound, fileFaults.notYoursToPublish],
      },
    },
    async (req, reply) => {
      const { section } = req.params
      if (section === 'pricing' && !req.user.permissions.has('price:update')) throw pricesAreNotYours()
      const content = checkSection(section, req.body)
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
