import { lines } from '../../../../tools/tour/cast.ts'
import type { Part } from '../../../../tools/tour/parts.ts'

/** What a tenant uses, beside what its plan allows. */
const part: Part = {
  shows: 'beside the limits of its plan',
  async tell({ chapter, tell }, { neighbour }) {
    chapter('What the plan allows')
    const usage = () => neighbour.getTenantUsage()
    await tell('What the tenant uses, beside the limits of its plan:', usage, 200, ({ plan, ...counts }) =>
      lines(
        Object.entries(counts),
        ([what, { used, limit }]) => `${what.padEnd(18)}${used} of ${limit ?? 'any number'}`,
      ),
    )
  },
}
export default part
