import { crew, type Plan, single, subjects } from '../plan.ts'

export const northwind: Plan[] = [
  {
    code: 'BUOY',
    name: 'Autumn buoy campaign',
    description:
      'Fourteen buoys in three fjords before the ice. Each one is moored, photographed and heard from twice before the boat leaves.',
    kind: 'operations',
    crew: crew('diego.fuentes pavel.novotny thandiwe.dlamini isla.macleod samuel.njoroge'),
    weeks: [4, 25],
    tasks: 70,
    subjects: subjects(
      'the mooring lines, the boat charter, the deployment kit, the winter service trip, the harbour permits, the spare buoy, the retrieval hook, the position lights, the sample bottles',
    ),
    single: single(`
      Fisherman found buoy 9 in his net | He kept it dry and called. Coffee and a new net are on us.
      Skipper can sail on two weekends only
      Buoy 3 reports from a car park | Somebody has taken it home. It still measures: 21 °C, very low salinity.
      Life jackets need new cartridges
      Weather window: three days from Friday
      Kelp around the anchor chain
      Gull on buoy 12 covers the solar panel
    `),
  },
  {
    code: 'NODE',
    name: 'Sensor node, third revision',
    description:
      'Half the power, a connector that a cold hand can open, and no component that is out of stock for a year.',
    kind: 'hardware',
    crew: crew('ruta.kazlauskaite pavel.novotny samuel.njoroge hana.kobayashi'),
    weeks: [0, 28],
    tasks: 68,
    subjects: subjects(
      'the main board, the pressure housing, the solar charger, the oxygen probe, the antenna, the connector, the battery tray, the wiper motor, the sealing ring',
    ),
    single: single(`
      Regulator is out of stock until March
      Condensation inside housing 7
      Sleep current is 41 µA, not 9 | Something keeps the flash awake. Unsolder one after the other.
      Works on the desk, not at 80 metres
      Titanium or plastic screws?
      Drop test from the pier
      Order boards for the winter series
    `),
  },
  {
    code: 'LORA',
    name: 'Radio firmware',
    description:
      'Every byte costs daylight. Measurements arrive within an hour, also after a storm, and a node that lost its clock finds its way back.',
    kind: 'engineering',
    crew: crew('samuel.njoroge ruta.kazlauskaite omar.khalil diego.fuentes'),
    weeks: [2, 28],
    tasks: 63,
    subjects: subjects(
      'the packet format, the retry schedule, the clock recovery, the low-power mode, the gateway buffer, the remote configuration, the signal-strength log, the storm mode',
    ),
    single: single(`
      Node 17 sends every second instead of every hour | Battery gone in two days. The configuration had no lower limit.
      Airtime above the legal limit in the evening
      Mountain in the way of gateway two
      Compress a day into 220 bytes
      Firmware version in every packet?
      Replay of old packets is accepted
    `),
  },
  {
    code: 'PORTAL',
    name: 'Open water portal',
    description:
      'Everybody may see the water they swim in. Open data, a map that loads on a boat, and an interface that students can use without asking us.',
    kind: 'software',
    crew: crew('aiko.mori omar.khalil maren.vogel isla.macleod'),
    weeks: [3, 30],
    tasks: 72,
    subjects: subjects(
      'the station map, the time-series chart, the data download, the quality flags, the alarm subscription, the interface for students, the station page, the embedded widget, the comparison of two stations',
    ),
    single: single(`
      Chart joins the points across a gap of three weeks
      Licence: CC BY or public domain?
      Municipality wants its logo larger
      −99 is not a temperature | Missing values of the old stations. The chart shows a frozen fjord.
      School class measures next to our station
      Map tiles fail without a network
      Somebody downloads everything every minute
    `),
  },
  {
    code: 'CAL',
    name: 'Calibration bench',
    description:
      'Thirty probes a week instead of six, traceable, and without anyone standing beside the bath at midnight.',
    kind: 'research',
    crew: crew('thandiwe.dlamini hana.kobayashi pavel.novotny maren.vogel'),
    weeks: [0, 24],
    tasks: 60,
    subjects: subjects(
      'the temperature bath, the oxygen reference, the salinity series, the repeatability, the overnight run, the transfer standard, the hysteresis, the bubble artefact',
    ),
    single: single(`
      Bath overshoots by 0.3 °C when the window is open
      Reference thermometer goes to Oslo for three weeks
      Probe 112 is better than the reference | Too good to be true; it was calibrated against itself.
      Label probes so that the label survives the bath
      Salt order: 25 kg, laboratory grade
      Certificate template
    `),
  },
  {
    code: 'ACC',
    name: 'Laboratory accreditation',
    description:
      'ISO/IEC 17025 for temperature and dissolved oxygen. Numbers that a court would accept, written down by people who would rather measure.',
    kind: 'process',
    crew: crew('thandiwe.dlamini hana.kobayashi astrid.solheim felix.braun'),
    weeks: [6, 34],
    tasks: 57,
    subjects: subjects(
      'the uncertainty budget, the document control, the sample custody, the complaint process, the equipment file, the proficiency test, the staff competence record, the sample refrigerator log',
    ),
    single: single(`
      Prepare for the pre-audit
      Fridge log has the same handwriting for a year
      Who signs when Thandiwe is on the boat?
      Quality manual below forty pages
      Pipettes: service contract ends soon
    `),
  },
  {
    code: 'GRANT',
    name: 'Horizon proposal “Quiet Fjords”',
    description: 'Four partners, three countries, seventy pages, one deadline in September at 17:00 Brussels time.',
    kind: 'people',
    crew: crew('isla.macleod astrid.solheim felix.braun maren.vogel'),
    weeks: [1, 16],
    archived: 18,
    tasks: 53,
    subjects: subjects(
      'the partner agreement, the work plan, the budget table, the impact section, the letter of support, the ethics form, the data management plan',
    ),
    single: single(`
      Partner in Tromsø changes its bank account again
      Upload a day early, whatever happens
      Seventy pages, and we have ninety-one
      Ask someone who has sat on a panel
      Overheads: 25 % of what exactly?
      Celebrate, independent of the result
    `),
  },
  {
    code: 'DRIFT',
    name: 'Learning to correct drift',
    description:
      'Probes drift as things grow on them. Can last year’s data teach a model to see it, and can we explain to a biologist why it is right?',
    kind: 'research',
    crew: crew('maren.vogel hana.kobayashi omar.khalil astrid.solheim'),
    weeks: [5, 28],
    tasks: 57,
    subjects: subjects(
      'the biofouling signal, the temperature dependence, the wiper effect, the seasonal baseline, the neighbour-station method, the labelled incidents, the confidence interval, the summer outliers',
    ),
    single: single(`
      Model has learned the calendar, not the probe
      Label 300 incidents by hand | With pizza, in two evenings, everybody.
      One afternoon with the biologists in Bergen
      Publish the data set before the paper
      Training on the laptop is enough
    `),
  },
]
