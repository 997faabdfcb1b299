import { exemplify, texts, z } from '#atrium'
import { SECTION_NAMES, SECTIONS } from './portal.schemas.ts'

/** The portal's texts until the tenant writes its own. Ids and prices are the same in each language. */
export const defaultPortal = texts(new URL('./texts/', import.meta.url), z.object(SECTIONS))

for (const section of SECTION_NAMES)
  exemplify(SECTIONS[section], () => {
    const portal = defaultPortal('en')
    return section === 'pricing' ? portal.pricing.slice(1) : portal[section]
  })
