import { Day, idOf, sentence, z } from '#atrium'

/** Days for which an instant can be given in every time zone. */
const PlannedDay = Day.refine(
  (day) => day >= '2000-01-01' && day <= '2999-12-31',
  sentence('must be a day of this millennium'),
)

export const SubstituteDraft = z
  .object({
    userId: idOf('users'),
    from: PlannedDay.describe("The first day, in the tenant's time zone"),
    until: PlannedDay.describe('The last day'),
  })
  .meta({ id: 'SubstituteDraft', examples: [{ userId: 9, from: '2026-12-21', until: '2027-01-03' }] })
export type SubstituteDraft = z.output<typeof SubstituteDraft>
