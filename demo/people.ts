import '../src/domains/index.ts'
import { grantsOf, type Permission, ROLE } from '../src/kernel/access.ts'
import type { Department } from './departments.ts'
import { northwindDepartments, northwindPapers, northwindRequests } from './houses/northwind.ts'
import { northwindPress } from './houses/northwind-press.ts'
import { veloraDepartments, veloraPapers, veloraRequests } from './houses/velora.ts'
import { veloraPress } from './houses/velora-press.ts'
import type { Paper } from './papers.ts'
import type { Plan } from './plan.ts'
import { northwind } from './projects/northwind.ts'
import { bikes, factory, office, software } from './projects/velora.ts'
import type { Press } from './publishing.ts'
import type { Request } from './requests.ts'

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
  /** who administers it: the last word on requests, the pages, the departments */
  administrator: string
  plans: Plan[]
  departments: Department[]
  requests: Request[]
  papers: Paper[]
  press: Press
}

/** A role of the demo's own: what everybody may, and the pages. */
export const EDITOR = 'editor'

/** What each role of the demo holds. */
export const GRANTS: Record<string, readonly Permission[]> = {
  ...Object.fromEntries(Object.values(ROLE).map((role) => [role, grantsOf(role)])),
  [EDITOR]: [...grantsOf(ROLE.user), 'content:list', 'content:create', 'content:update', 'content:delete'],
}

/** Velora builds electric cargo bikes and lives in the tenant that is there from the start. */
export const velora: Company = {
  code: 'default',
  name: 'Velora Cargo Bikes',
  mail: 'velora.example',
  administrator: 'greta.vandenberg',
  people: people(
    { 'greta.vandenberg': ROLE.admin, 'chloe.dubois': EDITOR },
    `
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
  `,
  ),
  plans: [...software, ...bikes, ...factory, ...office],
  departments: veloraDepartments,
  requests: veloraRequests,
  papers: veloraPapers,
  press: veloraPress,
}

/** Northwind Labs measures water with buoys; its tenant is made by the seed. */
export const northwindLabs: Company = {
  code: 'northwind-labs',
  name: 'Northwind Labs',
  mail: 'northwind.example',
  administrator: 'astrid.solheim',
  people: people(
    { 'astrid.solheim': ROLE.tenantAdmin, 'isla.macleod': EDITOR },
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
  ),
  plans: northwind,
  departments: northwindDepartments,
  requests: northwindRequests,
  papers: northwindPapers,
  press: northwindPress,
}

export const companies = [velora, northwindLabs]

/** User name, name, work; `roles` of those who are not plain users. */
function people(roles: Record<string, string>, table: string): Person[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [username, name] = line.trim().split(/\s{2,}/) as [string, string]
      return { username, name, role: roles[username] ?? ROLE.user }
    })
}
