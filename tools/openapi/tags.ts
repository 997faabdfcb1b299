/** The groups of operations: the longest path that an operation begins with decides. */
const TAGS: [tag: string, description: string, ...paths: string[]][] = [
  ['auth', 'Sign-in, registration and sessions.', '/auth'],
  ['tenants', 'The tenants themselves, for the system administrator.', '/tenants'],
  ['organization', 'The organization and its tree of departments.', '/organizations', '/departments'],
  ['users', 'The people of a tenant.', '/users'],
  ['roles', 'Roles and the catalogue of permissions.', '/roles', '/permissions'],
  ['menus', 'The menus of the admin client.', '/menus'],
  ['projects', 'Projects, their members and what happened to them.', '/projects'],
  ['tasks', 'Tasks, their comments and their history.', '/projects/:id/tasks', '/tasks'],
  ['approvals', "Requests that wait for two decisions: the leader's, then an administrator's.", '/approvals'],
  ['notifications', "Everyone's own inbox.", '/notifications'],
  ['audit', 'Who asked for what, and how it ended.', '/audit'],
  ['files', 'Files: uploaded as a form, downloaded as they are.', '/files'],
  ['content', 'Articles, categories and the portal, for those who write them.', '/content'],
  ['portal', 'What anyone may read, without a token.', '/public'],
  ['comments', 'What signed-in people say about posts.', '/blog', '/public/blog/:id/comments', '/content/comments'],
  ['payments', 'Orders of plans.', '/payments'],
  [
    'admin-data',
    'The figures of the admin pages: demo data, the same on every call.',
    '/analytics',
    '/config',
    '/dashboard',
    '/data',
    '/dept',
    '/dict',
    '/log',
    '/monitor',
    '/notice',
  ],
]

export const tags = TAGS.map(([name, description]) => ({ name, description }))

/** @throws when no group fits: a new domain says here which it is. */
export function tagOf(path: string): string {
  const fitting = TAGS.flatMap(([tag, , ...paths]) => paths.map((start) => ({ tag, start })))
    .filter(({ start }) => path === start || path.startsWith(`${start}/`))
    .sort((a, b) => b.start.length - a.start.length)
  if (!fitting[0]) throw new Error(`tools/openapi/tags.ts has no group for ${path}`)
  return fitting[0].tag
}
