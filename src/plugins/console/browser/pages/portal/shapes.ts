import { api } from '../../lib/api.ts'
import { t } from '../../lib/language.ts'

/** What a part of a section is, and so how it is written. */
export type Shape =
  /** `lines` are texts, one below the other */
  | { kind: 'line' | 'lines' | 'prose' | 'picture' | 'number' | 'flag' }
  | { kind: 'fields'; fields: Named[] }
  | { kind: 'list'; of: Named[]; fresh: object; isNumbered?: boolean }
/** A part with its name in the request and its name on the page. */
export interface Named {
  name: string
  label: string
  shape: Shape
}

const part = (kind: Exclude<Shape['kind'], 'fields' | 'list'>, name: string, label: string): Named => ({
  name,
  label,
  shape: { kind },
})
const fields = (...fields: Named[]): Shape => ({ kind: 'fields', fields })
/** @param more what a new entry has that nobody writes */
const listOf = (of: Named[], more = {}): Extract<Shape, { kind: 'list' }> => ({
  kind: 'list',
  of,
  fresh: { ...Object.fromEntries(of.map(({ name, shape }) => [name, emptyOf(shape)])), ...more },
})
const list = (name: string, label: string, ...of: Named[]): Named => ({ name, label, shape: listOf(of) })
const numbered = (of: Named[], more?: object): Shape => ({ ...listOf(of, more), isNumbered: true })

/** What a part of a new entry is at first. */
function emptyOf({ kind }: Shape) {
  if (kind === 'number') return null
  if (kind === 'flag') return false
  return kind === 'lines' || kind === 'list' ? [] : ''
}

export interface Section {
  name: 'home' | 'features' | 'product' | 'pricing' | 'faq' | 'docs' | 'about'
  label: string
  shape: Shape
  read(): Promise<unknown>
}

/** The sections of the portal in the language of the page. */
export function sections(): Section[] {
  const title = part('line', 'title', t('Title'))
  const description = part('prose', 'description', t('Description'))
  const name = part('line', 'name', t('Name'))
  const role = part('line', 'role', t('Position'))
  const highlights = list('highlights', t('Highlights'), title, description)
  const stats = list('stats', t('Figures'), part('line', 'label', t('Label')), part('line', 'value', t('Value')))
  const testimonials = list('testimonials', t('Testimonials'), part('prose', 'content', t('Quotation')), name, role)
  const team = list('team', t('Team'), name, role, part('picture', 'avatar', t('Picture')))
  const milestones = list('milestones', t('Milestones'), part('line', 'date', t('Date')), title, description)
  return [
    {
      name: 'home',
      label: t('Home'),
      read: () => api.getPublicHome(),
      shape: fields(highlights, stats, testimonials),
    },
    {
      name: 'features',
      label: t('Features'),
      read: () => api.listPublicFeatures(),
      shape: numbered([title, description, part('picture', 'icon', t('Icon'))]),
    },
    {
      name: 'product',
      label: t('Product'),
      read: () => api.getPublicProduct(),
      shape: fields(part('line', 'name', t('Title')), part('line', 'slogan', t('Slogan')), highlights),
    },
    {
      name: 'pricing',
      label: t('Prices'),
      read: () => api.listPublicPlans(),
      shape: numbered(
        [
          part('line', 'name', t('Title')),
          part('line', 'description', t('Description')),
          part('line', 'price', t('Price as it is printed')),
          part('line', 'period', t('Period')),
          part('number', 'amountCents', t('Amount to pay, in cents; empty: by agreement')),
          part('lines', 'features', t('What it includes, one on each line')),
          part('flag', 'highlighted', t('Recommended')),
        ],
        { currency: 'CNY' },
      ),
    },
    {
      name: 'faq',
      label: t('Questions'),
      read: () => api.listPublicQuestions(),
      shape: numbered([
        part('line', 'question', t('Question')),
        part('prose', 'answer', t('Answer')),
        part('line', 'category', t('Category')),
      ]),
    },
    {
      name: 'docs',
      label: t('Guides'),
      read: () => api.listPublicGuides(),
      shape: numbered([title, description, list('items', t('Chapters'), title, part('line', 'path', t('Address')))]),
    },
    {
      name: 'about',
      label: t('About'),
      read: () => api.getPublicAbout(),
      shape: fields(part('prose', 'intro', t('Introduction')), stats, team, milestones),
    },
  ]
}
