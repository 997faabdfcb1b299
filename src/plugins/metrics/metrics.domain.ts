import { domain, openOperators } from '#atrium'

export default domain({
  name: 'metrics',
  about: 'Metrics in the format of Prometheus, and health with its reasons, on a port for operators',
  provides: [
    openOperators.by(async (config) => {
      if (config.metricsPort === 0) return undefined
      const { forOperators } = await import('./operators.ts')
      return forOperators(config)
    }),
  ],
})
