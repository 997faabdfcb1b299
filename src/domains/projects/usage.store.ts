import { find, type Usage } from '#atrium'

const countActive = find((from, _: object) =>
  from('projects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('projects.status', '=', 'ACTIVE'),
)

/** Projects that are not archived. */
export const projectsUsed: Usage = { of: 'projects', count: async (scope) => (await countActive(scope, {}))!.count }
