import { type Fill, hard, WIDE } from '../../../../test/support/hard-texts.ts'

const fill: Fill = async ({ made }) => {
  await made('/invitations', { email: `${WIDE}@${WIDE.slice(10)}.example`, note: hard() })
}
export default fill
