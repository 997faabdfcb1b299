import { expect, test } from 'vitest'
import { readConfig } from '../../../../config/config.ts'

test('metrics are not on the port of the service', () => {
  const read = (plugins: string) => readConfig({ PLUGINS: plugins, PORT: '9464' }, () => 'generated')
  expect(() => read('metrics')).toThrow('METRICS_PORT: must not be the PORT')
  expect(read('keys').heldBack).toEqual([['METRICS_PORT', 'must not be the PORT']])
})
