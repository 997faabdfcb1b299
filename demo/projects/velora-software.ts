import { crew, type Plan, single, subjects } from '../plan.ts'

export const software: Plan[] = [
  {
    code: 'RIDER',
    name: 'Rider app 4.0',
    description:
      'The app that riders really open every day: unlock, range, route, service. One code base less, half the taps, and it has to work in an underground car park.',
    kind: 'software',
    crew: crew('mei.tanaka sina.farrokhi daniel.kim noor.haddad yuki.nakamura tomasz.wojcik'),
    weeks: [0, 30],
    tasks: 104,
    subjects: subjects(
      'the unlock screen, the range estimate, the ride history, the theft alarm, the family sharing, the service reminders, the offline map, the loading-weight assistant, the first-ride tour, the home-screen widget, the crash detection, the settings page',
    ),
    single: single(`
      Apple rejects the build: privacy manifest is missing | Rejected twice within an hour. The manifest has to name the two SDKs that read the disk space.
      Unlocking takes nine seconds in an underground car park | Bluetooth is found at once, then we wait for a network answer that we do not need. Video in the shared folder.
      Drop support for Android 9 | 0.8 % of riders, a third of our crash reports.
      Dark mode washes out the battery ring
      Decide whether we need an account to unlock
      The app icon looks like a parcel service | Two friends and one dealer said it without being asked.
      Ask 20 riders which screen they open first
      Haptic feedback when the lock opens
      Crash on start with Arabic as the system language
      Keep the screen awake while navigating
      Push notifications arrive twice on Pixel phones
      Retire the old ride-sharing code
    `),
  },
  {
    code: 'SHOP',
    name: 'Online shop relaunch',
    description:
      'The present shop sells accessories as if they were bikes. New catalogue, a configurator that can be understood on a phone, and prices that are right in all seven countries.',
    kind: 'software',
    crew: crew('noor.haddad elena.petrova tomasz.wojcik chloe.dubois sofia.rossi yuki.nakamura marcus.webb'),
    weeks: [2, 28],
    tasks: 92,
    subjects: subjects(
      'the bike configurator, the product pages, the accessory finder, the country switch, the gift voucher, the test-ride booking, the order tracking, the returns form, the price calculation, the stock display, the search',
    ),
    single: single(`
      Prices in Switzerland show VAT twice | Seen on 14 orders since Monday. Finance wants a list of the customers so that we can refund before they ask.
      Kids' seat is offered for bikes it does not fit
      Choose between the two photo services
      Old links from magazines must not break | About 300 addresses; the list is in the drive under "press".
      Sold-out colours stay visible for a day
      The configurator needs 11 MB on first load
      Remove the chat bubble nobody answers
      Legal texts for Belgium in both languages
      Basket is empty after signing in
      What do people search for and not find?
    `),
  },
  {
    code: 'PAY',
    name: 'Leasing checkout',
    description:
      'Four of ten bikes are leased through employers, and every contract passes through a PDF. By the end of the year a lease is signed in the browser.',
    kind: 'software',
    crew: crew('elena.petrova tomasz.wojcik greta.vandenberg leila.benali noor.haddad yuki.nakamura'),
    weeks: [6, 30],
    tasks: 71,
    subjects: subjects(
      'the employer approval, the instalment preview, the identity check, the contract signature, the early buy-out, the insurance option, the payment reminder, the hand-over receipt, the refund',
    ),
    single: single(`
      Leasing partner rejects names with apostrophes | Sorry, Liam. Their form validates against A–Z; we have asked them to fix it and need a workaround until then.
      Rounding: 36 × 89.97 is not the total | The partner rounds each month, we round the sum. Up to 18 cents, and every one of them becomes a support ticket.
      Which data may we send before the contract is signed?
      Sandbox of the identity provider is down every Tuesday
      Support can see the state of a contract
      Contract PDF without the customer's birthday in the file name
      Two tabs, two contracts | Double click on "sign" made two contracts for one bike. Needs an idempotency key all the way down.
      Test purchase with a real card and a real bike
    `),
  },
  {
    code: 'FW',
    name: 'Motor firmware 2.x',
    description:
      'One firmware for both motor controllers, updates over the air that cannot brick a bike, and a hill start that does not frighten anyone with two children in the box.',
    kind: 'engineering',
    crew: crew('jonas.lindqvist anders.nygaard arjun.mehta sina.farrokhi ines.carvalho'),
    weeks: [0, 32],
    tasks: 83,
    subjects: subjects(
      'the hill-start assist, the torque limiter, the over-the-air update, the boot loader, the CAN message filter, the battery handshake, the walk mode, the brake-light logic, the diagnostic protocol, the watchdog, the temperature derating',
    ),
    single: single(`
      Motor cuts out after exactly 49 days and 17 hours | Looks like a 32-bit millisecond counter. Two reports from couriers who never switch the bike off.
      Update stalls at 97 % on old displays
      Sign firmware images with a key that does not live on a laptop
      Throttle response feels different below 5 °C
      Make the build reproducible
      Speed limit must follow the country setting | 25 km/h in the EU, 32 km/h for the US pilot. The setting must not be changeable by the rider.
      Move the test bench to the new lab
      Logging fills the flash in three weeks
      Certification run at the test house
    `),
  },
  {
    code: 'FLEET',
    name: 'Fleet dashboard for couriers',
    description:
      'Courier companies run up to 400 of our bikes. They need to see which of them are standing still, and why, before their riders call.',
    kind: 'software',
    crew: crew('mei.tanaka priya.raghavan elena.petrova marcus.webb yuki.nakamura amara.okafor'),
    weeks: [4, 30],
    tasks: 78,
    subjects: subjects(
      'the map of all bikes, the battery forecast, the maintenance calendar, the damage report, the export to Excel, the shift planner, the geofence alarm, the cost report, the user administration, the live status',
    ),
    single: single(`
      Bikes in tunnels are not stolen | 31 theft alarms in one night in Antwerp. All of them stood in the same tunnel under the Scheldt.
      Pilot customer wants to see riders' names: may we?
      400 markers freeze the map
      Time zone of the export is UTC, the customer's day is not
      Demo data for the trade fair
      Second pilot: flower wholesaler in Aalsmeer
      Email digest on Monday morning
      Charge cycles are counted twice after a restart
      Price list for fleets above 50 bikes
    `),
  },
  {
    code: 'DEALER',
    name: 'Dealer portal',
    description:
      'One hundred and sixty dealers order by email, and we type it in again. The portal takes orders, warranty cases and spare parts, and knows what has been delivered.',
    kind: 'software',
    crew: crew('liam.oconnor elena.petrova noor.haddad kwame.mensah yuki.nakamura'),
    weeks: [8, 34],
    tasks: 62,
    subjects: subjects(
      'the order form, the warranty claim, the delivery calendar, the spare-parts catalogue, the credit limit, the training videos, the demo-bike loan, the price list, the return label',
    ),
    single: single(`
      Visit five dealers and watch them order | Bring stroopwafels. Do not explain anything, only write down where they stop.
      Dealers share one password per shop
      Warranty photos arrive sideways
      Order numbers that can be read over the phone
      Three dealers still use Internet Explorer mode
      Import the customer numbers from the old list
      Who may see the purchase prices?
    `),
  },
  {
    code: 'DATA',
    name: 'One data warehouse',
    description:
      'Sales, factory and support each have their own number for "bikes sold last month". One warehouse, one definition, and a morning report that people believe.',
    kind: 'engineering',
    crew: crew('priya.raghavan tomasz.wojcik arjun.mehta greta.vandenberg'),
    weeks: [0, 26],
    tasks: 68,
    subjects: subjects(
      'the order import, the nightly load, the customer matching, the definition of a sold bike, the warranty cost model, the telemetry archive, the access rules, the currency conversion, the data quality checks',
    ),
    single: single(`
      Why does finance count 1 204 bikes and sales 1 311? | Demo bikes, leases that were cancelled in the cooling-off period, and one spreadsheet from 2023.
      One day a year has 25 hours, and the report has 24
      Delete raw telemetry after 90 days
      Postcode 01067 lost its zero
      One place where every figure is explained
      Query costs doubled in a week
      Agree on a fiscal calendar
    `),
  },
  {
    code: 'CLOUD',
    name: 'Leaving the old servers',
    description:
      'Eleven machines in a cupboard in Utrecht, two of them older than the company. Everything moves, nothing is lost, and the cupboard becomes a bicycle shed.',
    kind: 'engineering',
    crew: crew('arjun.mehta tomasz.wojcik oluwaseun.adeyemi jonas.lindqvist'),
    weeks: [0, 14],
    archived: 16,
    tasks: 58,
    subjects: subjects(
      'the mail relay, the backup job, the build agents, the customer database, the firmware archive, the monitoring, the VPN, the DNS zones, the file share',
    ),
    single: single(`
      What does the machine called "kees" do? | It has been up for 1 400 days and answers on port 8081. Nobody dares.
      Restore test: a whole day from the backup
      Certificates expire in three weeks
      Cost forecast for the first year
      Switch off "kees" for an hour and wait who calls
      Hand the keys of the cupboard back
    `),
  },
]
