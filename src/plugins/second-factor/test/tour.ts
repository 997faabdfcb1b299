import { Secret, TOTP } from 'otpauth'
import { newcomer } from '../../../../tools/tour/cast.ts'
import { expect } from '../../../../tools/tour/guide.ts'
import type { Part } from '../../../../tools/tour/parts.ts'

/** A second factor, from its key to a recovery code. */
const part: Part = {
  shows: 'each code works once',
  async tell(tour, { admin }) {
    const { chapter, tell, refused, password } = tour
    const { client: painter, id, username } = await newcomer(tour, admin, 'careful')

    chapter('A second factor')
    const credentials = { username: username, password }
    await tell('They sign in with the password alone.', () => painter.signIn(credentials), 200, { id })
    const begin = () => painter.beginSecondFactor({ body: { password } })
    const shown = 'The key for the app on their phone is shown once.'
    const hide = ({ otpauthUrl }: { otpauthUrl: string }) => `${otpauthUrl.split('secret=')[0]}secret=…`
    const { secret: seed } = await tell(shown, begin, 200, hide)
    const code = (steps = 0) =>
      new TOTP({ secret: Secret.fromBase32(seed) }).generate({ timestamp: Date.now() + steps * 30_000 })
    const turnOn = () => painter.confirmSecondFactor({ body: { code: code() } })
    const { recoveryCodes } = await tell('A code of the app turns it on.', turnOn, 200, ({ recoveryCodes }) => {
      expect(recoveryCodes.length === 10, 'ten recovery codes')
      return 'ten recovery codes, shown once'
    })
    const alone = () => painter.signIn(credentials)
    await refused('The password alone is not enough any more.', alone, [401, 'SECOND_FACTOR_REQUIRED'])
    const next = code(1)
    const both = () => painter.signIn({ ...credentials, code: next })
    await tell('With a code it is,', both, 200, { id })
    await refused('… and each code works once.', both, [401, 'INVALID_CREDENTIALS'])
    const recover = () => painter.signIn({ ...credentials, code: recoveryCodes[0]! })
    await tell('Who has lost the phone takes a recovery code.', recover, 200, { id })
    const takeOff = () => painter.removeSecondFactor({ body: { password } })
    await tell('They take it off again.', takeOff, 200, () => 'done')
  },
}
export default part
