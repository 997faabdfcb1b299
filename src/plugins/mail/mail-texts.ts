import { type Language, mailOf, texts, z } from '#atrium'

/** What a mail of one kind says. `{name}` is a fact of it. */
export const MailText = z.strictObject({
  subject: z.string(),
  /** paragraphs */
  lines: z.array(z.string()).min(1),
  /** the label of the button, if the kind has a link */
  button: z.string().optional(),
  /** paragraphs below the button, in small print */
  after: z.array(z.string()).optional(),
})
export type MailText = z.output<typeof MailText>

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

const folders = new Map<string, (language: Language) => Record<string, MailText>>()

/** What a kind of mail says in a language; undefined if no domain declares the kind any more. */
export function mailText(kind: string, language: Language): MailText | undefined {
  const declared = mailOf(kind)
  return declared && mailTextsIn(declared.texts)(language)[kind]
}

/** What the mails of a domain say, by kind. @param folder its `mailTexts` */
export function mailTextsIn(folder: URL): (language: Language) => Record<string, MailText> {
  const read = folders.get(folder.href) ?? texts(folder, z.record(z.string(), MailText))
  folders.set(folder.href, read)
  return read
}
