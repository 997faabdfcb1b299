import { inOneLine, keptText, longText, sentence, text, view, z } from '#atrium'
import { inPublic } from '#atrium/files'

/** The sections of a portal. One schema applies to both reading and writing. */
const line = longText(255)
const word = longText(64)
const prose = longText(5000)
/** an icon's name or a picture's address, for the tenant's files the public one; empty if there is none */
const picture = z.string().trim().max(255).overwrite(inPublic)
const id = z
  .number()
  .int()
  .positive()
  .max(2 ** 31 - 1)
const some = <Item extends z.ZodType>(item: Item) => z.array(item).max(100)

/** Items with unique ids. */
const numbered = <Item extends z.ZodType<{ id: number }>>(item: Item) =>
  some(item).superRefine((items, context) => {
    for (const [at, { id }] of items.entries())
      if (items.findIndex((other) => other.id === id) < at)
        context.addIssue({ code: 'custom', path: [at, 'id'], message: sentence('occurs twice') })
  })

const Highlight = z.object({ title: line, description: prose })
const Figure = z.object({ label: word, value: word })

const Home = z
  .object({
    highlights: some(Highlight),
    stats: some(Figure),
    testimonials: some(z.object({ content: prose, name: word, role: word })),
  })
  .meta({ id: 'PortalHome' })

const Feature = z.object({ id, title: line, description: prose, icon: picture }).meta({ id: 'PortalFeature' })

const Product = z.object({ name: word, slogan: line, highlights: some(Highlight) }).meta({ id: 'PortalProduct' })

export const Plan = z
  .object({
    id,
    name: word,
    description: line,
    price: word.describe('As it is printed'),
    period: z.string().trim().max(64),
    features: some(line),
    highlighted: z.boolean(),
    amountCents: z
      .number()
      .int()
      .min(0)
      .max(10_000_000_000)
      .nullable()
      .describe('The amount to pay; 0 is free, null is negotiable'),
    currency: z.literal('CNY'),
  })
  .meta({ id: 'PortalPlan' })
export type Plan = z.output<typeof Plan>

const Question = z.object({ id, question: line, answer: prose, category: word }).meta({ id: 'PortalQuestion' })

const Guide = z
  .object({ id, title: line, description: prose, items: some(z.object({ path: line, title: line })) })
  .meta({ id: 'PortalGuide' })

const About = z
  .object({
    intro: prose,
    stats: some(Figure),
    team: some(z.object({ name: word, role: word, avatar: picture })),
    milestones: some(z.object({ date: word, title: line, description: prose })),
  })
  .meta({ id: 'PortalAbout' })

export const SECTIONS = {
  home: Home,
  features: numbered(Feature),
  product: Product,
  pricing: numbered(Plan),
  faq: numbered(Question),
  docs: numbered(Guide),
  about: About,
}
export type Section = keyof typeof SECTIONS

/** Whether content that comes from elsewhere is what a section has. */
export function fitsSection(section: Section, content: unknown): boolean {
  return SECTIONS[section]?.safeParse(content).success ?? false
}

export const PortalSection = z
  .union(Object.values(SECTIONS))
  .describe(
    'What `/public/{section}` returns: `PortalHome`, `PortalProduct`, `PortalAbout`, or the list of the section',
  )
  .meta({ id: 'PortalSection' })
export type Portal = { [S in Section]: z.output<(typeof SECTIONS)[S]> }
export const SECTION_NAMES = Object.keys(SECTIONS) as Section[]

export const SectionParams = z.object({ section: z.enum(SECTION_NAMES) })

export const ContactDraft = z
  .object({
    email: text(128).pipe(z.email()),
    name: inOneLine(keptText(64)),
    message: keptText(5000),
  })
  .meta({
    id: 'ContactDraft',
    examples: [{ message: 'We are a team of twelve. Which plan fits us?', name: 'Ada Lovelace' }],
  })
export type ContactDraft = z.output<typeof ContactDraft>

export const ContactReceipt = z
  .object({ accepted: z.literal(true), email: view.text, submittedAt: view.instant })
  .meta({ id: 'ContactReceipt', examples: [{ submittedAt: '2026-11-21T09:30:00.000Z' }] })

export const ContactMessagePatch = z.object({ handled: z.boolean() }).meta({ id: 'ContactMessagePatch' })

export const ContactMessageView = z
  .object({
    id: view.id,
    email: view.text,
    name: view.maybeText,
    message: view.maybeText,
    handled: z.boolean(),
    createdAt: view.instant,
  })
  .meta({
    id: 'ContactMessage',
    examples: [{ id: 5, name: 'Mei Tanaka', message: 'We are a team of twelve. Which plan fits us?' }],
  })
export type ContactMessageView = z.output<typeof ContactMessageView>
