import { departments } from '../departments.ts'
import type { Paper } from '../papers.ts'
import { requests } from '../requests.ts'

export const northwindDepartments = departments(`
  LAB      Laboratory            hana.kobayashi      thandiwe.dlamini
  FIELD    Field work            diego.fuentes       pavel.novotny
  NODES    Sensors               ruta.kazlauskaite   samuel.njoroge
  DATA     Software and data     omar.khalil
    WEB    Portal                aiko.mori
    SCI    Data science          maren.vogel
  HOUSE    Partners and office   astrid.solheim      isla.macleod
    FIN    Finance               felix.braun
`)

export const northwindRequests = requests(`
  NW-LEAVE-04 | 3  | maren.vogel       | leave    | Hut tour, no reception                  | from 2026-06-15; to 2026-06-19; days 5; standIn Omar Khalil            | approved | The model trains without you. Go. / Enjoy!
  NW-LEAVE-09 | 24 | pavel.novotny     | leave    | A week at home in Brno                  | from 2026-12-07; to 2026-12-11; days 5; standIn Diego Fuentes          | with the administrator | After the last retrieval, so yes.
  NW-BUY-012  | 4  | thandiwe.dlamini  | purchase | Salinity standards, 12 bottles          | amount 410; currency EUR; supplier OSIL; batch P168                     | approved | The old batch is out of date since May. / Go ahead.
  NW-BUY-015  | 8  | samuel.njoroge    | purchase | Spectrum analyser                       | amount 6900; currency EUR; supplier Rigol; reason airtime               | refused | Would save us the trip to Bergen each time. / Borrow the university's for this year. We ask again when the grant is in.
  NW-BUY-019  | 12 | pavel.novotny     | purchase | Dyneema rope, 400 m                     | amount 1240; currency EUR; supplier Gleistein; reason moorings          | approved | Cheaper than the last lot. / Go ahead.
  NW-BUY-022  | 17 | aiko.mori         | purchase | Phones to test with, used               | amount 520; currency EUR; supplier refurbished; pieces 4                | refused by the leader | There are six in the drawer under the printer.
  NW-BUY-027  | 25 | samuel.njoroge    | purchase | Boards for the winter series            | amount 3180; currency EUR; supplier Eurocircuits; pieces 60             | with the leader |
  NW-TRIP-06  | 10 | isla.macleod      | travel   | Water Week in Stockholm                 | from 2026-08-23; to 2026-08-27; estimate 1650; currency EUR            | approved | You open the session on Tuesday. / Say hello to the Finns.
  NW-TRIP-08  | 15 | thandiwe.dlamini  | travel   | Ring test in Kiel                       | from 2026-09-14; to 2026-09-16; estimate 640; currency EUR             | taken back late | Take your own bottles.
  NW-TRIP-09  | 19 | felix.braun       | travel   | Auditor in Oslo, in person              | from 2026-10-08; to 2026-10-09; estimate 580; currency EUR             | taken back |
  NW-EXP-031  | 21 | pavel.novotny     | expense  | A new net for the fisherman             | amount 365; currency EUR; receipts 1                                    | approved | He kept the buoy dry and called. / Of course.
  NW-CONT-02  | 25 | maren.vogel       | contract | Computing time at the university        | partner NTNU; hours 4000; perYear 2200                                  | draft |
  NW-CONT-01  | 7  | aiko.mori         | contract | Map tiles from a paid provider          | partner Kartverk; perYear 900; until 2027-06-30                        | dropped |
`)

export const northwindPapers: Paper[] = [
  {
    name: 'Station list.csv',
    week: 3,
    by: 'diego.fuentes',
    holds: {
      text: `
station,fjord,latitude,longitude,depth_m,since
NW-01,Nordfjord,61.9021,5.9832,42,2024-04-11
NW-02,Nordfjord,61.9107,6.0415,80,2024-04-11
NW-05,Sognefjord,61.1043,5.6120,65,2025-03-27
NW-09,Sognefjord,61.1388,6.4021,120,2025-03-28
NW-12,Hardangerfjord,60.1719,6.0110,38,2026-06-17
NW-14,Hardangerfjord,60.2233,6.2904,55,2026-06-18
`,
    },
  },
  {
    name: 'Calibration, oxygen probe 31.png',
    week: 9,
    by: 'hana.kobayashi',
    holds: { bars: [20, 34, 47, 61, 74, 88, 101] },
  },
  {
    name: 'Mooring, how we do it.md',
    week: 13,
    by: 'pavel.novotny',
    holds: {
      text: `
# Mooring, how we do it

1. Anchor first, rope second, buoy last. Never the other way round.
2. One and a half times the depth in rope, twice where there is a current.
3. Photograph the knot. In October you will want to know who made it.
4. Wait for two transmissions before the boat leaves.
`,
    },
  },
  {
    name: 'Data licence.pdf',
    week: 16,
    by: 'isla.macleod',
    holds: {
      lines: [
        'Northwind Labs: licence of the measurements',
        '',
        'Everything our stations have measured may be used by everybody, for every purpose.',
        'Say where it comes from, and say so when you have changed it.',
        'Values with the flag 4 are wrong and are there so that you can see it.',
        '',
        'CC BY 4.0 applies. Questions: data@northwind.example',
      ],
    },
  },
  {
    name: 'Cruise log, June.txt',
    week: 5,
    by: 'diego.fuentes',
    holds: {
      text: `
17 June  06:10 off Rosendal, wind 4, sun. NW-12 in place 08:35, heard from twice.
17 June  13:20 NW-13 will not answer. Opened, wet, closed again. Taken home.
18 June  07:00 fog. Breakfast.
18 June  11:45 NW-14 in place. The gull from last year is back.
`,
    },
  },
]
