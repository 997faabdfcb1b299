import { exemplify } from '#atrium'
import { type Portal, SECTIONS } from './portal.schemas.ts'

/** What a tenant's portal says until the tenant says something else. */
export const defaultPortal: Portal = {
  home: {
    highlights: [
      {
        title: 'Projects that keep their history',
        description: 'Every change of a task is written down with who made it and when, so nobody has to remember.',
      },
      {
        title: 'Approvals that move',
        description: 'Two decisions, each with a name. Whoever is next is told at once.',
      },
      {
        title: 'One place for the team',
        description: 'Departments, files, notifications and the public portal share one sign-in.',
      },
    ],
    stats: [
      { label: 'Teams at work', value: '1,200+' },
      { label: 'Tasks finished', value: '3.4 million' },
      { label: 'Availability', value: '99.95%' },
      { label: 'Countries', value: '38' },
    ],
    testimonials: [
      {
        content: 'We replaced three tools and a spreadsheet. The spreadsheet is what we miss least.',
        name: 'Helena Brandt',
        role: 'Head of Operations, Velora',
      },
      {
        content: 'An approval that used to take a week of asking around is now done by lunch.',
        name: 'Marcus Oyelaran',
        role: 'Finance Lead, Northwind',
      },
      {
        content: 'I look at one page in the morning and know what my department is doing.',
        name: '林晓',
        role: 'Department Leader, Harbour Logistics',
      },
    ],
  },
  features: [
    {
      id: 1,
      title: 'Projects and tasks',
      description: 'Members, priorities, due dates and comments, with a history that cannot be edited.',
      icon: 'project',
    },
    {
      id: 2,
      title: 'Two-step approvals',
      description: 'The leader of the department decides first, then an administrator. Every step keeps its comment.',
      icon: 'approval',
    },
    {
      id: 3,
      title: 'Organization',
      description: 'A tree of departments with leaders and members, as deep as yours is.',
      icon: 'organization',
    },
    {
      id: 4,
      title: 'Files',
      description: 'Documents and pictures beside the work they belong to, never visible to another organization.',
      icon: 'file',
    },
    {
      id: 5,
      title: 'Audit',
      description: 'Who did what, from where, and how it ended. Request bodies are never kept.',
      icon: 'audit',
    },
    {
      id: 6,
      title: 'Your own portal',
      description: 'Pages, prices, questions and a blog for the public, edited by the people who know.',
      icon: 'portal',
    },
  ],
  product: {
    name: 'Atrium',
    slogan: 'The room that every department opens onto',
    highlights: [
      { title: 'Ready in a minute', description: 'Name your organization, invite your people, begin.' },
      { title: 'Apart by design', description: 'Each organization is isolated by types, by keys and by the database.' },
      { title: 'Yours to take along', description: 'Everything is reachable through one documented interface.' },
    ],
  },
  pricing: [
    {
      id: 1,
      name: 'Free',
      description: 'For a first project.',
      price: 'Free',
      period: 'forever',
      features: ['Up to 5 people', '3 projects', '1 GB of files'],
      highlighted: false,
      amountCents: 0,
      currency: 'CNY',
    },
    {
      id: 2,
      name: 'Team',
      description: 'For teams that work together every day.',
      price: '¥299',
      period: '/ year',
      features: ['Up to 50 people', 'Unlimited projects', 'Approvals', '50 GB of files'],
      highlighted: true,
      amountCents: 29_900,
      currency: 'CNY',
    },
    {
      id: 3,
      name: 'Business',
      description: 'For organizations with departments.',
      price: '¥999',
      period: '/ year',
      features: ['Up to 500 people', 'Departments and audit', 'Public portal and blog', '500 GB of files'],
      highlighted: false,
      amountCents: 99_900,
      currency: 'CNY',
    },
    {
      id: 4,
      name: 'Custom',
      description: 'For special requirements and your own premises.',
      price: 'On request',
      period: '',
      features: ['Any number of people', 'On your own servers', 'A person to call'],
      highlighted: false,
      amountCents: null,
      currency: 'CNY',
    },
  ],
  faq: [
    {
      id: 1,
      question: 'Do we have to install anything?',
      answer: 'No. A browser is enough, on a computer or a phone.',
      category: 'Getting started',
    },
    {
      id: 2,
      question: 'Can we try it before we pay?',
      answer: 'Yes. The free plan has no end, and the team plan can be tried for thirty days.',
      category: 'Getting started',
    },
    {
      id: 3,
      question: 'Who can see our data?',
      answer: 'Only people of your organization, and of those only the ones you give access to.',
      category: 'Security',
    },
    {
      id: 4,
      question: 'How do we pay?',
      answer: 'By Alipay, WeChat Pay or card, once a year. An unpaid order expires after fifteen minutes.',
      category: 'Billing',
    },
    {
      id: 5,
      question: 'What happens when our subscription ends?',
      answer: 'Nobody can sign in until it is renewed. Nothing is deleted.',
      category: 'Billing',
    },
  ],
  docs: [
    {
      id: 1,
      title: 'First steps',
      description: 'From an empty workspace to the first finished task.',
      items: [
        { path: '/docs/first-steps/invite', title: 'Invite your people' },
        { path: '/docs/first-steps/project', title: 'Create a project' },
        { path: '/docs/first-steps/task', title: 'Assign a task' },
      ],
    },
    {
      id: 2,
      title: 'Organization',
      description: 'Departments, leaders and roles.',
      items: [
        { path: '/docs/organization/departments', title: 'Build the tree of departments' },
        { path: '/docs/organization/roles', title: 'Roles and permissions' },
      ],
    },
    {
      id: 3,
      title: 'Approvals',
      description: 'How a request finds its way.',
      items: [
        { path: '/docs/approvals/submit', title: 'Submit a request' },
        { path: '/docs/approvals/decide', title: 'Decide a request' },
      ],
    },
    {
      id: 4,
      title: 'For developers',
      description: 'The interface behind the pages.',
      items: [
        { path: '/docs/developers/sign-in', title: 'Tokens' },
        { path: '/docs/developers/errors', title: 'Errors and how to act on them' },
      ],
    },
  ],
  about: {
    intro:
      'Atrium is made by a small team that wanted one calm place for the work of an organization. We write down what we decide, measure what we claim, and answer every message.',
    stats: [
      { label: 'People', value: '24' },
      { label: 'Time zones', value: '6' },
      { label: 'Founded', value: '2023' },
    ],
    team: [
      { name: 'Mara Lindqvist', role: 'Founder', avatar: '' },
      { name: 'Jonas Weber', role: 'Product', avatar: '' },
      { name: 'Chen Rui', role: 'Engineering', avatar: '' },
      { name: 'Priya Raman', role: 'Security', avatar: '' },
      { name: 'Amina Diallo', role: 'Customer care', avatar: '' },
    ],
    milestones: [
      { date: '2023-04', title: 'Founded', description: 'Three people, one whiteboard, no customers.' },
      { date: '2024-02', title: 'First customer', description: 'A manufacturer of bicycles with two hundred tasks.' },
      { date: '2025-05', title: 'Approvals', description: 'The first feature that somebody else had asked for.' },
      { date: '2026-03', title: 'Portals', description: 'Organizations show themselves to the public.' },
    ],
  },
}

exemplify(SECTIONS.home, defaultPortal.home)
exemplify(SECTIONS.features, defaultPortal.features)
exemplify(SECTIONS.product, defaultPortal.product)
exemplify(SECTIONS.pricing, defaultPortal.pricing.slice(1))
exemplify(SECTIONS.faq, defaultPortal.faq)
exemplify(SECTIONS.docs, defaultPortal.docs)
exemplify(SECTIONS.about, defaultPortal.about)
