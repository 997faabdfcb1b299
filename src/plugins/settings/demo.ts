import type { Part } from '../../../demo/parts.ts'
import { updateSettings } from './settings.actions.ts'

const part: Part<object> = {
  ways: {
    'change settings': {
      left: ({ settings }, { policy }) => policy.timeZone === settings.timeZone,
      act: (tx, { settings }) => updateSettings(tx, settings),
    },
  },
  findMade: async () => ({}),
}
export default part
