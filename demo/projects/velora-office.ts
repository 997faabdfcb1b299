import { crew, type Plan, single, subjects } from '../plan.ts'

export const office: Plan[] = [
  {
    code: 'ISO',
    name: 'Information security certificate',
    description:
      'Two courier companies will only sign with ISO 27001. We write down what we do, stop what we should not do, and pass the audit in the first quarter.',
    kind: 'process',
    crew: crew('oluwaseun.adeyemi arjun.mehta leila.benali katarzyna.nowak greta.vandenberg'),
    weeks: [4, 36],
    tasks: 72,
    subjects: subjects(
      'the access review, the supplier assessment, the incident process, the asset register, the backup policy, the clean-desk rule, the leaver checklist, the risk register, the laptop encryption, the visitor log',
    ),
    single: single(`
      The alarm code is on a note beside the alarm
      Choose the auditor | Two offers. The cheaper one has never seen a factory.
      Phishing exercise: 23 of 61 clicked
      Statement of applicability, first version
      Shared mailbox of the workshop has no owner
      Lost phone in Ghent: practise the process for real
      Management review on one page
    `),
  },
  {
    code: 'GDPR',
    name: 'Privacy: export and deletion',
    description:
      'A rider asks for their data, or wants it gone: one form, one owner, thirty days at most, and no colleague who has to remember nine systems.',
    kind: 'process',
    crew: crew('leila.benali elena.petrova priya.raghavan amara.okafor'),
    weeks: [6, 26],
    tasks: 55,
    subjects: subjects(
      'the export request, the deletion of old accounts, the record of processing, the cookie banner, the contract with the map provider, the retention times, the request by post, the telemetry consent',
    ),
    single: single(`
      A request is on day 27 of 30 | The rider wrote to the dealer, the dealer wrote to sales.
      Location data: how precise is precise enough?
      Newsletter tool still knows the people who left
      Answer to the authority in Brussels
      Child seats: do we store the age of children?
      Delete the test accounts with real addresses
    `),
  },
  {
    code: 'AUTUMN',
    name: 'Autumn campaign “It rains. So?”',
    description:
      'Most people stop thinking about bikes when the leaves fall. Six weeks, four countries, one rain cover, no models with umbrellas.',
    kind: 'marketing',
    crew: crew('hugo.lefebvre chloe.dubois noor.haddad marcus.webb sofia.rossi'),
    weeks: [6, 21],
    archived: 23,
    tasks: 67,
    subjects: subjects(
      'the cinema spot, the poster series, the landing page, the newsletter, the dealer window, the rain-cover photos, the radio ad, the photo contest, the press kit',
    ),
    single: single(`
      It does not rain on the day of the shoot | Rent the rain machine for a second day or wait until Thursday?
      The Dutch pun does not work in German
      Courier from Ghent becomes the face
      Poster 4 shows a bike with the old bell
      Stop the ad next to the flood report | Placement was automatic. Terribly sorry, and switched off.
      Numbers for the sales meeting
      Send prints to everybody in the pictures
    `),
  },
  {
    code: 'HELP',
    name: 'Support under one roof',
    description:
      'Telephone in Utrecht, mail in Lisbon, chat nowhere. One team, one inbox, answers within four hours, and the ten questions that should never have to be asked.',
    kind: 'people',
    crew: crew('amara.okafor liam.oconnor chloe.dubois yuki.nakamura fatima.idrissi'),
    weeks: [2, 26],
    tasks: 69,
    subjects: subjects(
      'the shared inbox, the answer templates, the weekend rota, the escalation path, the top-ten questions, the call-back service, the support handbook, the satisfaction survey, the hand-over with the factory',
    ),
    single: single(`
      Rider waited nine days for an answer | It sat in the Lisbon inbox while Lisbon was on holiday. We need a rule, not an apology.
      Mondays have twice the calls of Fridays
      "My bike is sad" is a battery fault | The pictogram. Once you see it you cannot unsee it.
      Read the 200 last one-star reviews
      Headsets that survive a workshop
      Who may give a refund up to 50 €?
      Say goodbye to the old ticket system
    `),
  },
  {
    code: 'HIRE',
    name: 'Hiring for app and firmware',
    description: 'Five people by the end of the year without exhausting the ones who are already here.',
    kind: 'people',
    crew: crew('fatima.idrissi oluwaseun.adeyemi mei.tanaka jonas.lindqvist katarzyna.nowak'),
    weeks: [3, 26],
    tasks: 53,
    subjects: subjects(
      'the job advertisement, the interview guide, the work sample, the first phone call, the salary bands, the feedback to candidates, the referral bonus, the meet-up talk',
    ),
    single: single(`
      Firmware candidate can start in February only
      Nobody answered the Polish advertisement
      Reply to the forty open applications
      Two offers, one budget
      Interview room has no daylight
      Ask those who said no why
    `),
  },
  {
    code: 'START',
    name: 'The first ninety days',
    description:
      'New colleagues build a bike on day two and find a desk on day one. In that order it is now the other way round.',
    kind: 'people',
    crew: crew('katarzyna.nowak fatima.idrissi rafael.teixeira noor.haddad'),
    weeks: [8, 28],
    tasks: 48,
    subjects: subjects(
      'the buddy programme, the welcome day, the build-your-own-bike day, the thirty-day talk, the equipment order, the who-is-who page, the language course',
    ),
    single: single(`
      Laptop arrived on day nine
      Ask the last ten starters
      Badge photo without the flash
      A map of the factory that shows the toilets
      What do we do with those who cannot cycle?
    `),
  },
  {
    code: 'CLOSE',
    name: 'Monthly close in five days',
    description:
      'The books close on day fourteen, and by then nobody remembers the month. Five days, no heroics, no spreadsheet named “final_final”.',
    kind: 'process',
    crew: crew('greta.vandenberg priya.raghavan lucia.moreno wei.zhang'),
    weeks: [1, 25],
    tasks: 53,
    subjects: subjects(
      'the travel expenses, the intercompany invoices, the stock valuation, the leasing income, the accruals, the bank reconciliation, the cost centres, the dealer bonuses',
    ),
    single: single(`
      Last month closed on day nine: what helped?
      Receipts as photos of photos
      Invoice from the barn landlord, again
      Supplier in Taiwan invoices in two currencies
      Retire final_final_v3.xlsx
      Auditor asks for the stock count of last quarter
    `),
  },
]
