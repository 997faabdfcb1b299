import { codeNow } from '../../../demo/code.ts'
import { SECOND_FACTOR } from '../../../demo/companies.ts'
import type { Part } from '../../../demo/parts.ts'
import { beginSecondFactor, confirmSecondFactor } from './second-factor.actions.ts'
import { loadTotp } from './totp.ts'

const part: Part<object> = {
  ways: {
    'add second factor': {
      left: ({ by }, { users }) => users.get(by)?.secondFactorAt != null,
      async act(tx) {
        await beginSecondFactor(tx, SECOND_FACTOR)
        // The code of the step before, so that the current one still signs in.
        await confirmSecondFactor(tx, await loadTotp(), codeNow(-1))
      },
    },
  },
  findMade: async () => ({}),
}
export default part
