import { ROLE } from '../../src/kernel/access.ts'
import type { Plan } from './plan.ts'
import { northwind } from './projects/northwind.ts'
import { bikes, factory, office, software } from './projects/velora.ts'

export interface Person {
  username: string
  name: string
  role: string
}

/** A company lives in a tenant of its own. */
export interface Company {
  /** the code of its tenant */
  code: string
  name: string
  mail: string
  people: Person[]
  plans: Plan[]
}

/** Velora builds electric cargo bikes and lives in the tenant that is there from the start. */
export const velora: Company = {
  code: 'default',
  name: 'Velora Cargo Bikes',
  mail: 'velora.example',
  people: people(`
    mei.tanaka          Mei Tanaka              product
    oluwaseun.adeyemi   Oluwaseun Adeyemi       engineering
    tomasz.wojcik       Tomasz Wójcik           back end
    elena.petrova       Elena Petrova           back end
    sina.farrokhi       Sina Farrokhi           Android
    daniel.kim          Daniel Kim              iOS
    noor.haddad         Noor Haddad             design
    yuki.nakamura       Yuki Nakamura           testing
    priya.raghavan      Priya Raghavan          data
    arjun.mehta         Arjun Mehta             platform
    jonas.lindqvist     Jonas Lindqvist         firmware
    anders.nygaard      Anders Nygaard          batteries
    bjorn.haugen        Bjørn Haugen            mechanics
    ines.carvalho       Inês Carvalho           quality
    rafael.teixeira     Rafael Teixeira         factory
    wei.zhang           Wei Zhang               purchasing
    kwame.mensah        Kwame Mensah            logistics
    lucia.moreno        Lucía Moreno            operations
    amara.okafor        Amara Okafor            support
    liam.oconnor        Liam O'Connor           dealers
    marcus.webb         Marcus Webb             sales
    sofia.rossi         Sofia Rossi             shops
    hugo.lefebvre       Hugo Lefèbvre           brand
    chloe.dubois        Chloé Dubois            editing
    leila.benali        Leïla Benali            legal
    greta.vandenberg    Greta van den Berg      finance
    fatima.idrissi      Fatima-Zahra Idrissi    people
    katarzyna.nowak     Katarzyna Nowak         people
  `),
  plans: [...software, ...bikes, ...factory, ...office],
}

/** Northwind Labs measures water with buoys; its tenant is made by the seed. */
export const northwindLabs: Company = {
  code: 'northwind-labs',
  name: 'Northwind Labs',
  mail: 'northwind.example',
  people: people(
    `
    astrid.solheim        Astrid Solheim            founder
    hana.kobayashi        Hana Kobayashi            chemistry
    thandiwe.dlamini      Thandiwe Dlamini          laboratory
    diego.fuentes         Diego Fuentes             field work
    pavel.novotny         Pavel Novotný             mechanics
    ruta.kazlauskaite     Rūta Kazlauskaitė         electronics
    samuel.njoroge        Samuel Njoroge            firmware
    omar.khalil           Omar Khalil               back end
    aiko.mori             Aiko Mori                 front end
    maren.vogel           Maren Vogel               data science
    isla.macleod          Isla MacLeod              partners
    felix.braun           Felix Braun               finance
  `,
    'astrid.solheim',
  ),
  plans: northwind,
}

export const companies = [velora, northwindLabs]

function people(table: string, administrator?: string): Person[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [username, name] = line.trim().split(/\s{2,}/) as [string, string]
      return { username, name, role: username === administrator ? ROLE.tenantAdmin : ROLE.user }
    })
}
