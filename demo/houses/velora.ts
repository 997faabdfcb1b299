import { departments } from '../departments.ts'
import type { Paper } from '../papers.ts'
import { requests } from '../requests.ts'

export const veloraDepartments = departments(`
  ENG       Engineering             oluwaseun.adeyemi
    SOFT    Software                tomasz.wojcik      elena.petrova arjun.mehta priya.raghavan
    APPS    Rider apps              daniel.kim         sina.farrokhi yuki.nakamura
    VEH     Vehicle                 jonas.lindqvist
      BATT  Batteries               anders.nygaard
      MECH  Mechanics               bjorn.haugen
  PROD      Product and design      mei.tanaka         noor.haddad
  OPS       Operations              lucia.moreno
    PLANT   Factory                 rafael.teixeira    ines.carvalho
    SUPPLY  Purchasing, logistics   wei.zhang          kwame.mensah
  SALES     Sales                   marcus.webb        sofia.rossi
    DEAL    Dealers                 liam.oconnor
    CARE    Support                 amara.okafor
    BRAND   Brand                   hugo.lefebvre      chloe.dubois
  OFFICE    Office                  leila.benali
    FIN     Finance                 greta.vandenberg
    PEOPLE  People                  fatima.idrissi     katarzyna.nowak
`)

export const veloraRequests = requests(`
  LEAVE-26-03 | 2  | elena.petrova     | leave    | Long weekend in Porto                    | from 2026-06-05; to 2026-06-08; days 2; standIn Tomasz Wójcik               | approved | Enjoy. The release can wait until Tuesday. / Booked.
  LEAVE-26-07 | 6  | sina.farrokhi     | leave    | Three weeks at my parents'               | from 2026-07-20; to 2026-08-07; days 15; standIn Daniel Kim                 | approved | Safe travels, Sina. / Booked. You have four days left for this year.
  LEAVE-26-11 | 9  | priya.raghavan    | leave    | August, all of it                        | from 2026-08-03; to 2026-08-31; days 21; standIn nobody yet                 | refused by the leader | Two of you are away already. Could it be the last two weeks?
  LEAVE-26-12 | 9  | priya.raghavan    | leave    | Last two weeks of August                 | from 2026-08-17; to 2026-08-31; days 11; standIn Arjun Mehta                | approved | Thank you for moving it. / Booked.
  LEAVE-26-24 | 24 | noor.haddad       | leave    | Between the years                        | from 2026-12-24; to 2027-01-06; days 7; standIn Mei Tanaka                  | with the administrator | Nobody redesigns anything at New Year.
  LEAVE-26-25 | 25 | yuki.nakamura     | leave    | Moving house                             | from 2026-11-26; to 2026-11-27; days 2; standIn Sina Farrokhi               | with the leader |
  BUY-26-041  | 4  | bjorn.haugen      | purchase | Torque wrench with a log                 | amount 1480; currency EUR; supplier Gedore; costCentre VEH                   | approved | We have needed this since the recall that was none. / Under 2 000, so quickly.
  BUY-26-058  | 8  | anders.nygaard    | purchase | Climate chamber, second-hand             | amount 23500; currency EUR; supplier Laborbedarf Kern; costCentre BATT       | refused | Half the price of a new one, and it goes down to -40. / Not before the leasing of the first one ends in January. Ask again then.
  BUY-26-063  | 10 | ines.carvalho     | purchase | Two sets of go/no-go gauges              | amount 960; currency EUR; supplier Mitutoyo; costCentre PLANT                | approved | The old ones are worn, I have measured. / Fine.
  BUY-26-077  | 14 | kwame.mensah      | purchase | A second pallet truck                    | amount 8900; currency EUR; supplier Jungheinrich; costCentre SUPPLY          | taken back late | We wait for each other every morning at six.
  BUY-26-081  | 17 | arjun.mehta       | purchase | Spare laptops for the on-call            | amount 4200; currency EUR; supplier Framework; costCentre SOFT               | refused by the leader | One spare is enough, and we have one.
  BUY-26-090  | 23 | liam.oconnor      | purchase | Demonstration bike for the Ghent dealer  | amount 3750; currency EUR; supplier own production; costCentre DEAL          | with the administrator | They sell two a week without one.
  BUY-26-092  | 25 | bjorn.haugen      | purchase | Steel for the cargo-box prototype        | amount 640; currency EUR; supplier Salzgitter; costCentre MECH               | with the leader |
  TRIP-26-09  | 5  | wei.zhang         | travel   | Visit to the cell supplier in Ningde     | from 2026-06-29; to 2026-07-03; estimate 2900; currency EUR                  | approved | Ask about the new separator. / Premium economy is fine for eleven hours.
  TRIP-26-13  | 11 | hugo.lefebvre     | travel   | Photographer along for Eurobike          | from 2026-08-12; to 2026-08-14; estimate 1800; currency EUR                  | dropped |
  TRIP-26-17  | 16 | jonas.lindqvist   | travel   | Motor workshop in Linz                   | from 2026-09-21; to 2026-09-23; estimate 1150; currency EUR                  | approved | Take the noise measurements with you. / By train, then yes.
  TRIP-26-21  | 22 | amara.okafor      | travel   | A week with the service van              | from 2026-11-02; to 2026-11-06; estimate 700; currency EUR                   | approved | Best idea of the quarter. / Agreed.
  TRAIN-26-05 | 7  | katarzyna.nowak   | training | Labour law for people who hire           | provider IHK; days 2; fee 890; currency EUR                                  | approved | Overdue. / Agreed.
  TRAIN-26-08 | 13 | tomasz.wojcik     | training | Conference ticket, PGConf.EU             | provider PGConf.EU; days 4; fee 760; currency EUR                            | taken back |
  TRAIN-26-09 | 21 | chloe.dubois      | training | Writing for people in a hurry            | provider Schreibwerkstatt; days 1; fee 320; currency EUR                     | approved | Send us all the handout. / Agreed.
  EXP-26-118  | 12 | sofia.rossi       | expense  | Lunch with the Milan shop owners         | amount 214.6; currency EUR; receipts 1                                       | approved | Eleven people, so that is modest. / Paid with the August salary.
  EXP-26-131  | 19 | rafael.teixeira   | expense  | Taxi, last train missed after the audit  | amount 88; currency EUR; receipts 1                                          | approved | My fault, I kept asking. / Paid.
  EXP-26-140  | 25 | kwame.mensah      | expense  | Customs fee paid by hand                 | amount 142.15; currency EUR; receipts 2                                      | with the administrator | Receipts are attached, both of them.
  CONT-26-04  | 18 | fatima.idrissi    | contract | Office cleaning for another two years    | partner Hell und Klar; perYear 18400; until 2028-09-30                       | refused | They are reliable. / One year, not two. Please ask them again.
  CONT-26-06  | 25 | marcus.webb       | contract | Frame agreement with Cargo Nord          | partner Cargo Nord; bikes 120; discount 8; until 2027-12-31                  | draft |
  ACC-26-02   | 20 | elena.petrova     | access   | Read access to the production database   | system orders; reason looking into double invoices; days 14                  | approved | Two weeks, then it closes by itself. / Noted in the register.
`)

export const veloraPapers: Paper[] = [
  {
    name: 'Travel rules 2026.md',
    week: 1,
    by: 'greta.vandenberg',
    holds: {
      text: `
# Travel rules 2026

1. By train where it takes less than six hours.
2. Ask before you book, not after. A request takes a day.
3. Hotels up to 120 EUR a night, 160 EUR in Paris, Milan and Copenhagen.
4. Receipts within two weeks. A photograph is enough.
5. If the last train has gone, take the taxi and say so.
`,
    },
  },
  {
    name: 'Spare parts, price list.csv',
    week: 6,
    by: 'wei.zhang',
    holds: {
      text: `
part,description,price_eur,weeks
VB-2041,Cell block 48 V 7 Ah,212.00,3
VB-2044,Battery lock with two keys,18.40,1
VM-1007,Motor controller,164.90,4
VM-1012,Torque sensor,71.50,2
VF-3310,Cargo box lid,58.00,2
VF-3315,Cargo box lid with window,64.00,2
VF-3320,Rain cover for two children,89.00,1
VX-9001,Bolt M8 x 45 (25 pieces),6.90,1
`,
    },
  },
  {
    name: 'Fatigue test, frame 7.png',
    week: 11,
    by: 'bjorn.haugen',
    holds: { bars: [98, 98, 97, 97, 96, 96, 95, 93, 91, 88, 82, 71] },
  },
  {
    name: 'Deliveries by month.png',
    week: 22,
    by: 'lucia.moreno',
    holds: { bars: [112, 134, 171, 208, 196, 164, 149, 187, 221, 240] },
  },
  {
    name: 'Letter to the dealers.pdf',
    week: 15,
    by: 'liam.oconnor',
    holds: {
      lines: [
        'Velora Cargo Bikes',
        '',
        'Dear dealers,',
        '',
        'from October on each bike comes with its key cards in a sealed bag, one per bike.',
        'Please hand it over unopened, and write the number of the bag into the order.',
        'Who loses a card gets a new one from us within two days, free of charge.',
        '',
        'Thank you for a summer in which we could hardly build as fast as you have sold.',
        '',
        "Liam O'Connor",
      ],
    },
  },
  {
    name: 'Minutes, works council.txt',
    week: 20,
    by: 'katarzyna.nowak',
    holds: {
      text: `
Works council, minutes

Present: Katarzyna, Rafael, Yuki, Kwame. Excused: Elena.

1. Shift plan for December: agreed, with the Friday before Christmas free.
2. Noise in hall 2: measured 81 dB at the press. Ear protection is there; the damping mat comes in week 47.
3. Coffee: the machine on the first floor is broken again. Fatima has ordered a different make.
`,
    },
  },
  {
    name: 'Battery shipping checklist.md',
    week: 9,
    by: 'kwame.mensah',
    holds: {
      text: `
# Before a battery leaves the house

- [ ] State of charge between 25 and 30 %
- [ ] UN 3480 label on two sides
- [ ] Box without dents, lid taped along the whole edge
- [ ] Paper in the pouch, and the pouch on the outside
- [ ] The carrier knows
`,
    },
  },
]
