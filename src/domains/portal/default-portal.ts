import { exemplify, texts, z } from '#atrium'
import { SECTION_NAMES, SECTIONS } from './portal.schemas.ts'

/** The portal's texts until the tenant writes its own. Ids and prices are the same in each language. */
export const defaultPortal = texts(new URL('./texts/', import.meta.url), z.object(SECTIONS))

/** What the public reads of tenants besides the first, until they write it: nothing of ours, and no claims. */
export const neutralPortal = texts(
  new URL('./texts/neutral/', import.meta.url),
  z.object({ product: SECTIONS.product, faq: SECTIONS.faq, docs: SECTIONS.docs, about: SECTIONS.about }),
)

for (const section of SECTION_NAMES)
  exemplify(SECTIONS[section], () => {
    const portal = defaultPortal('en')
    return section === 'pricing' ? portal.pricing.slice(1) : portal[section]
  })
