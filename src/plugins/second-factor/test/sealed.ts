import type { Surroundings } from '#test/sealed.ts'
import { addFactor } from '#test/second-factor.ts'
import { hashPassword } from '../../../domains/people/passwords.ts'

const PASSWORD = 'a long and winding road'

export default { 'second_factors.secret': givenSecondFactor }

/** A wrong code is only refused as such by who can open the secret. */
async function givenSecondFactor({ world, tenant }: Surroundings) {
  const person = await world.givenUser(tenant)
  await world.look.rows('update users set password_hash = $1 where id = $2', [await hashPassword(PASSWORD), person.id])
  await addFactor(world.as(person), PASSWORD)
  const form = { username: person.username, password: PASSWORD, tenantCode: tenant.code, code: '000000' }
  return async () => {
    const { status, headers, error } = await world.anyone.post('/auth/login', form)
    return `${status} ${error?.type} ${headers['retry-after'] ?? ''}`.trim()
  }
}
