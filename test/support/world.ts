import type { AddressInfo } from 'node:net'
import pino, { type Logger } from 'pino'
import { examine } from '../../appliance/doctor/examine.ts'
import { buildApp } from '../../src/app.ts'
import { type Mail, outgoingMail } from '../../src/atrium/outgoing-mail.ts'
import { openCoordination } from '../../src/atrium/ports/serving.ts'
import { numberAll } from '../../src/data/events/number-events.ts'
import { nextId } from '../../src/data/tx/ids.ts'
import { enterNewTenant, transact } from '../../src/data/tx/transact.ts'
import { openSession } from '../../src/domains/auth/auth.actions.ts'
import { insertOrganization } from '../../src/domains/organization/organization.store.ts'
import { defaultPortal } from '../../src/domains/portal/default-portal.ts'
import { createReservedRoles, createUserWithRole } from '../../src/domains/roles/roles.actions.ts'
import { insertTenant } from '../../src/domains/tenants/tenants.store.ts'
import { type Permission, ROLE } from '../../src/kernel/access.ts'
import { FIRST_TENANT, system } from '../../src/kernel/actor.ts'
import { endsWithFile, once } from './clean-up.ts'
import { type Client, clientOf } from './client.ts'
import { testConfig } from './config.ts'
import { cloneDatabase, openInspector } from './database.ts'
import { entered } from './entered.ts'
import { commitGate } from './interleave.ts'
import { openLines } from './layer.ts'
import { openMailbox } from './mailbox.ts'
import { obedient } from './obedient.ts'
import { until } from './patience.ts'

export interface Person {
  id: number
  tenantId: number
  username: string
  token: string
}
export interface Tenant {
  id: number
  code: string
  administrator: Person
}

export interface WorldOptions {
  env?: Record<string, string>
  redisUrl?: string
  logger?: Logger
  /** so many commands share a commit at most; by default as many as in a service */
  commitsTogether?: number
}

/**
 * Opens the world of a test file: a database of its own, the service on it, and people who call it. It is closed at the
 * latest after the last test of the file. Sessions and users are made by the actions, without the cost of hashing a
 * password for each.
 */
export async function openWorld({ env = {}, redisUrl, logger = quiet(), ...lines }: WorldOptions = {}) {
  const config = testConfig({ ...env, ...(redisUrl && { REDIS_URL: redisUrl }) })
  const databaseUrl = await cloneDatabase()
  const opened = await openLines(databaseUrl, config, logger, lines)
  const gate = commitGate()
  // Some tests close it before the rest, to see the service without it.
  const database = gate.wrap(entered({ ...opened, close: once(opened.close) }))
  const coordination = await openCoordination.get()(config, logger)
  const environment = { NODE_ENV: 'test', DATA_DIR: config.dataDir, ...env }
  const app = await buildApp(config, {
    ...{ database, coordination, logger },
    examine: () => examine(environment, databaseUrl),
  })
  await app.ready()
  if (coordination) await until(() => coordination.up())
  const look = await openInspector(databaseUrl)
  let counter = 0
  const as = (person: Partial<Person> & { token: string }): Client =>
    clientOf(app, { authorization: `Bearer ${person.token}` })
  /** A client that makes what a test is given. */
  const by = (person: Partial<Person> & { token: string }) => obedient(as(person))
  const asSystem = <T>(tenantId: number, action: (tx: any) => Promise<T>) =>
    transact(database, { tenantId, actor: system, requestId: 'test' }, action)

  async function signIn(tenantId: number, user: { id: number; username: string }): Promise<Person> {
    const session = await asSystem(tenantId, (tx) => openSession(tx, user, 3600))
    return { id: user.id, tenantId, username: user.username, token: app.tokens.sign(session) }
  }
  async function givenRole(tenant: { id: number }, permissions: readonly Permission[]) {
    const code = `role-${++counter}`
    await look.rows(
      `with role as (insert into roles (tenant_id, code, name) values ($1, $2, $2) returning tenant_id, id)
       insert into role_permissions (tenant_id, role_id, permission_id)
       select role.tenant_id, role.id, p.id from role, permissions p where p.code = any ($3)`,
      [tenant.id, code, permissions],
    )
    return code
  }
  const admin = await signIn(1, { id: 1, username: 'admin' })

  return {
    ...{ app, database, databaseUrl, look },
    /** stops a commit of the service, so that another command can come in between */
    gate,
    /** the mails that left, if no MAIL_URL is set */
    mailbox: openMailbox(config.dataDir),
    /** the system administrator, user 1 of tenant 1 */
    admin,
    async givenTenant(): Promise<Tenant> {
      const code = `tenant-${++counter}`
      const { id, user } = await asSystem(0, async (tx) => {
        const id = await nextId(tx, 'tenants')
        await insertTenant(tx, { id, name: code, code, plan: 'test', expiredAt: null, registration: 'closed' })
        const inside = await enterNewTenant(tx, id, 'a test')
        insertOrganization(inside, { name: code, code })
        await createReservedRoles(inside, [ROLE.tenantAdmin, ROLE.user])
        return { id, user: await createUserWithRole(inside, { username: 'boss', passwordHash: '-' }, ROLE.tenantAdmin) }
      })
      return { id, code, administrator: await signIn(id, user) }
    },
    /** Opens or closes the tenant to strangers; at first it is closed. */
    async setRegistration({ id }: { id: number }, registration: 'open' | 'closed') {
      ;(await by(admin).put(`/tenants/${id}`, { registration })).expect(200)
    },
    /** The tenant offers plans: those of the default price list, as its own. The first tenant offers them from the start. */
    async givenPrices({ id, administrator }: Tenant) {
      if (id === FIRST_TENANT) return
      ;(await by(administrator).put('/content/portal/pricing', defaultPortal('en').pricing)).expect(200)
    },
    /** A user of the tenant, with role `user` unless another is named, or the permissions that a new one is to hold. */
    async givenUser(tenant: { id: number }, role: string | readonly Permission[] = ROLE.user): Promise<Person> {
      const code = typeof role === 'string' ? role : await givenRole(tenant, role)
      const username = `person-${++counter}`
      const user = await asSystem(tenant.id, (tx) =>
        createUserWithRole(tx, { username, nickname: `Person ${counter}`, passwordHash: '-' }, code),
      )
      return signIn(tenant.id, user)
    },
    /** A role of the tenant that holds these permissions and no others; `givenUser` may be given its code. */
    givenRole,
    /** The id of the role of the tenant that has this code. */
    async roleId({ id }: { id: number }, code: string) {
      const sql = 'select id::float8 from roles where tenant_id = $1 and code = $2'
      return (await look.rows<{ id: number }>(sql, [id, code]))[0]!.id
    },
    async givenProject(owner: Person, draft: object = {}) {
      const code = `P-${++counter}`
      const key = { 'idempotency-key': `given-${code}` }
      return await by(owner).create('/projects', { name: `Project ${counter}`, code, ...draft }, key)
    },
    async givenTask(reporter: Person, project: { id: number }, draft: object = {}) {
      return (
        await by(reporter).post(`/projects/${project.id}/tasks`, { title: `Task ${++counter}`, ...draft })
      ).expect(201)
    },
    async givenMember(manager: Person, project: { id: number }, member: Person) {
      ;(await by(manager).put(`/projects/${project.id}/members/${member.id}`)).expect(200)
    },
    /** A request for approval that is handed in. */
    async givenRequest(applicant: Person, { id: departmentId }: { id: number }, draft: object = {}) {
      const request = { type: 'leave', title: `Request ${++counter}`, departmentId, ...draft }
      const { id } = (await by(applicant).post('/approvals', request)).expect(201)
      const key = { 'idempotency-key': `handed-in-${id}` }
      return (await by(applicant).post(`/approvals/${id}/submit`, undefined, key)).expect(200)
    },
    /** Runs an action in a transaction of the service itself. */
    inTenant: <T>({ id }: { id: number }, action: (tx: any) => Promise<T>) => asSystem(id, action),
    /** Has the service listen on loopback. @returns its port */
    async listen() {
      if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
      return (app.server.address() as AddressInfo).port
    },
    /** Sends a mail in a transaction of the service itself. */
    async sendMail({ id }: { id: number }, mail: Partial<Mail<never>> = {}) {
      const to = 'ada@example.org'
      await asSystem(id, async (tx) =>
        outgoingMail
          .get()
          .send(tx, { kind: 'MAIL_TEST' as never, to, locale: 'en', facts: {}, ...mail } as Mail<never>),
      )
    },
    /** A mail of the tenant that was given up. @returns its id */
    async givenDeadMail({ id }: { id: number }, to = 'ada@example.org'): Promise<number> {
      const [mail] = await look.rows(
        `insert into mails (tenant_id, key, kind, recipient, locale, status, attempts, last_error, ended_at)
         values ($1, gen_random_uuid(), 'MAIL_TEST', $2, 'en', 'dead', 1, '550 No such user', now()) returning id::float8`,
        [id, to],
      )
      return mail!.id
    },
    /** A delivery of a webhook that was given up, of the tenant's last event that it was not sent. @returns its id */
    async givenDeadDelivery({ id }: { id: number }, webhook: { id: number }): Promise<number> {
      await numberAll(database, id)
      const [event] = await look.rows(
        `select id, type, subject_type, subject_id from events
          where tenant_id = $1 and not exists (select from webhook_deliveries other
            where other.tenant_id = events.tenant_id and other.webhook_id = $2 and other.event_id = events.id)
          order by id desc limit 1`,
        [id, webhook.id],
      )
      const [delivery] = await look.rows(
        `insert into webhook_deliveries (tenant_id, webhook_id, event_id, type, subject_type, subject_id, status, attempts, due_at, ended_at)
         values ($1, $2, $3, $4, $5, $6, 'dead', 8, null, now()) returning id::float8`,
        [id, webhook.id, event!.id, event!.type, event!.subject_type, event!.subject_id],
      )
      return delivery!.id
    },
    /** Calls the service as a person; `anyone` without a token. */
    as,
    anyone: clientOf(app, {}),
    close: endsWithFile(async () => {
      await app.close()
      await database.close()
      await coordination?.close()
      await look.close()
    }),
  }
}
export type World = Awaited<ReturnType<typeof openWorld>>

function quiet(): Logger {
  return pino({ level: process.env.TEST_LOG ?? 'silent' })
}
