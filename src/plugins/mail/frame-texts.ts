import { texts, z } from '#atrium'

/** What stands around the texts of all kinds. */
export const frameTexts = texts(
  new URL('./texts/frame/', import.meta.url),
  z.strictObject({
    help: z.string(),
    automatic: z.string(),
    unsubscribe: z.string(),
    andMore: z.string(),
  }),
)
