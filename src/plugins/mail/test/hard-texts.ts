import { type Fill, WIDE } from '../../../../test/support/hard-texts.ts'

const fill: Fill = async ({ world, tenant }) => {
  await world.givenDeadMail(tenant, `${WIDE}@${WIDE.slice(10)}.example`)
}
export default fill
