import { crew, type Plan, single, subjects } from '../plan.ts'

export const bikes: Plan[] = [
  {
    code: 'BATT',
    name: 'Second source for the battery',
    description:
      'One supplier for the most expensive part is one too few. Qualify a second pack that fits the same cradle, charges on the same charger and passes the same tests.',
    kind: 'hardware',
    crew: crew('anders.nygaard wei.zhang ines.carvalho jonas.lindqvist bjorn.haugen'),
    weeks: [1, 30],
    tasks: 70,
    subjects: subjects(
      'the battery housing, the cell holder, the charging port, the lock cylinder, the carrying handle, the sealing lip, the cooling plate, the connector, the fuse board',
    ),
    single: single(`
      Transport approval for samples: UN 38.3 papers are incomplete | Customs in Rotterdam keeps the parcel until the test summary carries a signature.
      Nail penetration test at the institute | Book the bunker for two days. Bring the spare pack; last time one was not enough.
      Cell voltage spreads by 40 mV after 200 cycles
      Compare three cell chemistries on one page
      Range in winter: 40 km or 50 km?
      Visit the supplier in Gdańsk
      Charger hums in the living room
      Who pays when a pack is recalled?
    `),
  },
  {
    code: 'FRAME',
    name: 'Frame of the long model',
    description:
      'The long model carries four children or a washing machine. Twelve centimetres more, the same stiffness, and it still has to fit into a lift.',
    kind: 'hardware',
    crew: crew('bjorn.haugen ines.carvalho wei.zhang rafael.teixeira noor.haddad'),
    weeks: [0, 28],
    tasks: 74,
    subjects: subjects(
      'the head tube, the box mount, the steering linkage, the kickstand, the rear dropout, the down tube, the seat rails, the motor bracket, the cable routing, the folding bench',
    ),
    single: single(`
      It does not fit into the lift of our own building | 4 cm too long. Measured three times, once with hope.
      Front wheel shimmies at 22 km/h with an empty box
      Choose the final green | Moss looks grey under LED light. See the panels next to the coffee machine.
      Crash test with dummies: children's size
      Weight target: 38 kg without battery
      Test rider found the kickstand with her shin
      Paint chips at the box mount
      Standards check: EN 17860
    `),
  },
  {
    code: 'RECALL',
    name: 'Brake lever recall',
    description:
      'A batch of brake levers can crack at the pivot. 1 870 bikes are affected; every owner gets a letter, an appointment and an apology within eight weeks.',
    kind: 'operations',
    crew: crew('ines.carvalho amara.okafor liam.oconnor kwame.mensah leila.benali'),
    weeks: [0, 9],
    archived: 11,
    tasks: 52,
    subjects: subjects(
      'the letter to the owners, the replacement levers, the appointment booking, the dealer compensation, the hotline, the mobile mechanics, the report to the authority, the batch tracing',
    ),
    single: single(`
      Which serial numbers are affected? | Batch 24-117 to 24-131, but the factory mixed two boxes on 3 March.
      Stop sale until every shop has answered
      Letter came back: 112 addresses are wrong
      Owner drove 300 km to us on his own account | He wants nothing. Let us send him something anyway.
      Message to riders in the app
      Levers are stuck in customs
      Close the case with the authority
    `),
  },
]
