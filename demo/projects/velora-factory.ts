import { crew, type Plan, single, subjects } from '../plan.ts'

export const factory: Plan[] = [
  {
    code: 'LINE',
    name: 'Third assembly line',
    description:
      'From 28 to 42 bikes a day by December. The third line goes where the canteen was; the canteen goes where people can see the river.',
    kind: 'operations',
    crew: crew('rafael.teixeira lucia.moreno ines.carvalho wei.zhang bjorn.haugen katarzyna.nowak'),
    weeks: [3, 29],
    tasks: 81,
    subjects: subjects(
      'the wheel-building station, the overhead conveyor, the torque tools, the end-of-line test, the material supermarket, the paint-touch-up booth, the night shift, the shift handover, the packing station, the compressed air',
    ),
    single: single(`
      Floor is 9 mm lower at the north wall
      Station 4 waits for station 3 twelve minutes an hour | Stopwatch on Tuesday and Thursday. The frame jig is the reason, not the people.
      Noise at the packing station: 84 dB
      Move the canteen first, then the line
      Works council wants to see the shift plan
      Torque tool 7 reports every bolt as perfect
      First bike from line three gets a name
      Emergency stop must be reachable from both sides
      Forklift and pushchairs use the same door
    `),
  },
  {
    code: 'SPARE',
    name: 'Spare parts within 48 hours',
    description:
      'A bike that carries children to school cannot wait two weeks for a spoke. The 300 parts that matter leave the warehouse on the day they are ordered.',
    kind: 'operations',
    crew: crew('kwame.mensah liam.oconnor wei.zhang amara.okafor priya.raghavan'),
    weeks: [5, 26],
    tasks: 64,
    subjects: subjects(
      'the list of the 300 parts, the minimum stock, the evening pick-up, the small-parts shelving, the dealer emergency kit, the return of broken parts, the label printer, the express courier, the stock count',
    ),
    single: single(`
      Why is the belt tensioner always missing?
      Same part, three part numbers | M6 × 20, stainless. Found by accident because all three boxes fell off the same shelf.
      Courier picks up at 16:30, we pack until 17:00
      Parts for the 2019 model: how long do we owe them?
      Weigh everything once
      Pink boxes cost more, but nobody loses them
      Scanner battery dies at noon
    `),
  },
  {
    code: 'WARE',
    name: 'Warehouse move to Venlo',
    description:
      'Out of the three barns, into one hall with a roof that keeps the rain out. Eleven thousand parts move over two weekends without a missed delivery.',
    kind: 'operations',
    crew: crew('kwame.mensah lucia.moreno rafael.teixeira katarzyna.nowak'),
    weeks: [0, 15],
    archived: 17,
    tasks: 60,
    subjects: subjects(
      'the pallet racking, the loading bay, the moving weekend, the fire alarm, the battery store, the floor marking, the network cabinet, the second barn, the inventory',
    ),
    single: single(`
      Sprinklers above the battery store: insurer wants foam
      Lorry height 4.00 m, gate height 3.95 m | The landlord says "nearly everybody fits". We are not nearly everybody.
      Give notice for the three barns
      Bus does not run before six
      Coffee machine goes in the first lorry
      Swallows are nesting in barn two | Protected until September. Barn two moves last.
    `),
  },
  {
    code: 'STORE',
    name: 'Flagship shop in Antwerp',
    description:
      'A shop in which one can ride. 420 square metres, a ramp, a repair bench behind glass, and coffee that is worth the detour.',
    kind: 'operations',
    crew: crew('sofia.rossi hugo.lefebvre lucia.moreno marcus.webb katarzyna.nowak'),
    weeks: [7, 27],
    tasks: 66,
    subjects: subjects(
      'the test track, the repair bench, the shop window, the coffee bar, the till, the opening week, the storage cellar, the lighting, the sign above the door',
    ),
    single: single(`
      Monument office objects to the sign
      Ramp: 6 % is fun, 8 % needs a permit | The architect drew 7.5.
      Hire four people who can ride and sell
      Neighbours' evening with a first look
      Flood risk of the cellar
      Who waters the tree?
      Card terminal works only near the door
      Mayor can come on the 4th, not on the 5th
    `),
  },
]
