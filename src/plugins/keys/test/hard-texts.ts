import { type Fill, hard, times } from '../../../../test/support/hard-texts.ts'

const fill: Fill = async ({ made }) => {
  const roles = await times(3, () => made('/roles', { name: hard(64), description: hard() }))
  const account = await made('/service-accounts', { name: hard(64), roleIds: roles.map(({ id }) => id) })
  await times(3, () => made(`/service-accounts/${account.id}/keys`, { name: hard(64) }))
}
export default fill
