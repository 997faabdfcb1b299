import type { Words } from './domain.ts'

/** A declared kind of mail. */
export interface MailDeclaration {
  readonly facts: readonly string[]
  readonly link: boolean
  /** the folder of its texts */
  readonly texts: URL
}

const kinds = new Map<string, MailDeclaration>()

/** Registers the mails of a domain. @throws Error if one is declared twice, or has no texts */
export function declareMails({ mails = {}, mailTexts }: Words): void {
  for (const [kind, { facts, link = false }] of Object.entries(mails)) {
    if (kinds.has(kind)) throw new Error(`The mail ${kind} is declared by two domains`)
    if (!mailTexts) throw new Error(`The mail ${kind} has no text: name the folder of its texts in \`mailTexts\``)
    kinds.set(kind, { facts, link, texts: mailTexts })
  }
}

/** A kind of mail; undefined if no domain declares it any more. */
export function mailOf(kind: string): MailDeclaration | undefined {
  return kinds.get(kind)
}

/** Every declared kind of mail. */
export function allMailKinds(): readonly string[] {
  return [...kinds.keys()]
}
