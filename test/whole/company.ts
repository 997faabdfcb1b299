import { expect } from 'vitest'
import { type Client, clientOf } from '../support/client.ts'
import { until } from '../support/patience.ts'
import { lendProvider } from '../support/provider.ts'
import { givenCode, nameProvider } from '../support/provider-steps.ts'
import type { Phone } from '../support/second-factor.ts'
import type { Mailhost } from '../support/smtp.ts'
import type { Person, Tenant, World } from '../support/world.ts'

/** Everything that names an employee has it. */
export const MARK = 'mark7e'
export const PASSWORD = 'correct horse battery'

export interface Employee extends Person {
  role: Role
  email: string
  /** of those who have one */
  password?: string
  phone?: Phone
}

/** A company whose people come through every door that the service has. */
export interface Company extends Tenant {
  /** the directory, which may do what an administrator may */
  system: { id: number; client: Client }
  /** Waits until a mail to an address says something. @returns its token */
  tokenTo(address: string, says: string): Promise<string>
  signIn(person: Employee, more?: object): Promise<void>
  come(role: Role, at: number): Promise<Employee>
  /** A new role of the company with these permissions. @returns its id */
  giveRole(permissions: Parameters<World['givenRole']>[1]): Promise<number>
}

/** Three leaders, of whom one is the substitute of another; two who may invite, one of them an administrator. */
export const DOORS = {
  leader: 'invitation',
  substitute: 'registration',
  chief: 'provider',
  deputy: 'directory',
  clerk: 'invitation',
  applicant: 'administrator',
} as const
export type Role = keyof typeof DOORS

/** Founds it, as an operator does, and opens its doors. */
export async function foundCompany(world: World, mailhost: Mailhost): Promise<Company> {
  const founder = { adminUsername: 'boss', adminPassword: PASSWORD, adminEmail: 'boss@company.example' }
  const draft = { name: 'Company', code: 'company', plan: 'test', registration: 'open', ...founder }
  const { id, code } = await world.as(world.admin).create('/tenants', draft)
  const tokenOf = async (body: object) =>
    (await world.anyone.post('/auth/login', { tenantCode: code, ...body })).expect(200).accessToken as string
  const administrator = await personWith(await tokenOf({ username: 'boss', password: PASSWORD }))
  const boss = world.as(administrator)
  await nameProvider(boss)
  const inviter = await giveRole(['user:invite', 'project:list', 'approval:create', 'approval:action'])
  const [{ id: chief }] = (await boss.read('/roles?keyword=tenant-admin')).items
  const account = await boss.create('/service-accounts', { name: `${MARK} system`, roleIds: [chief] })
  const { key } = await boss.create(`/service-accounts/${account.id}/keys`, { name: 'SCIM' })
  const authorization = `Bearer ${key}`

  async function personWith(token: string): Promise<Person> {
    const me = await world.as({ token }).read('/auth/me')
    return { id: me.id, tenantId: id, username: me.username, token }
  }
  async function giveRole(permissions: Parameters<World['givenRole']>[1]) {
    return world.roleId({ id }, await world.givenRole({ id }, permissions))
  }

  /** How a person comes through each door. @returns their token */
  const comes: Record<(typeof DOORS)[Role], (username: string, email: string, nickname: string) => Promise<string>> = {
    async invitation(username, email, nickname) {
      await boss.create('/invitations', { email })
      const form = { token: await company.tokenTo(email, '/invitation'), username, password: PASSWORD, nickname }
      return (await world.anyone.create('/auth/invitations/accept', form)).accessToken
    },
    async registration(username, email) {
      const form = { username, email, password: PASSWORD, tenantCode: code }
      await world.anyone.create('/auth/register', form)
      return tokenOf({ username, password: PASSWORD })
    },
    async provider(username, email, name) {
      const provider = await lendProvider()
      provider.account = { sub: username, email, email_verified: true, name, preferred_username: username }
      const answer = await world.anyone.post('/auth/oidc/exchange', { code: await givenCode(world.app, code) })
      return answer.expect(200).accessToken
    },
    async directory(userName, value, displayName) {
      const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User']
      const user = { schemas, userName, displayName, emails: [{ value, type: 'work' }], password: PASSWORD }
      const payload = JSON.stringify({ ...user, externalId: userName })
      const headers = { authorization, 'content-type': 'application/scim+json' }
      const answer = await world.app.inject({ method: 'POST', url: '/scim/v2/Users', payload, headers })
      expect(answer.statusCode).toBe(201)
      return tokenOf({ username: userName, password: PASSWORD })
    },
    async administrator(username, email, nickname) {
      await boss.create('/users', { username, email, nickname, password: PASSWORD })
      return tokenOf({ username, password: PASSWORD })
    },
  }

  const company: Company = {
    ...{ id, code, administrator, giveRole },
    system: { id: account.id, client: clientOf(world.app, { authorization }) },
    async tokenTo(address, says) {
      return until(async () => {
        const mails = mailhost.delivered.some(({ to }) => to === address) ? await mailhost.mailsTo(address) : []
        const found = mails.findLast(({ text }) => text!.includes(`${says}#token=`))
        return found ? /#token=(\S+)/.exec(found.text!)![1]! : false
      })
    },
    async signIn(person, more = {}) {
      person.token = await tokenOf({ username: person.username, password: person.password, ...more })
    },
    async come(role, at) {
      const door = DOORS[role]
      const names = { nickname: `${MARK} nick ${role} ${at}`, email: `${MARK}-${role}-${at}@company.example` }
      const person = await personWith(await comes[door](`${MARK}-${role}-${at}`, names.email, names.nickname))
      const roleIds = role === 'deputy' ? [chief] : role === 'clerk' ? [inviter] : undefined
      const more = { realName: `${MARK} real ${role} ${at}`, phone: `+49 ${MARK}`, ...(roleIds && { roleIds }) }
      ;(await boss.put(`/users/${person.id}`, { ...names, ...more })).expect(200)
      return { ...person, role, email: names.email, ...(door !== 'provider' && { password: PASSWORD }) }
    },
  }
  return company
}
