import { defaultsOfPlugins } from '../../tools/of-plugins.ts'

/**
 * What was asked for, word for word: every endpoint that the specification lists, and those that the contract adds, with
 * what each demands. `auth` is a valid token, `-` nothing, `administrator` that role, `system` the system administrator
 * beside the permission.
 */
export interface Endpoint {
  method: string
  path: string
  demands: string
}

/** Section 4 of the specification. What it leaves open about content, the contract fills: writing needs a permission. */
export const SPECIFIED = read(`
  GET    /tenants                          system tenant:list
  POST   /tenants                          system tenant:list
  PUT    /tenants/{id}                     system tenant:list

  GET    /organizations/current            department:list
  PUT    /organizations/{id}               department:manage
  GET    /departments                      department:list
  GET    /departments/{id}/members         department:list
  POST   /departments                      department:manage
  PUT    /departments/{id}                 department:manage
  DELETE /departments/{id}                 department:manage
  PUT    /departments/{id}/members/{userId} department:manage
  DELETE /departments/{id}/members/{userId} department:manage

  GET    /projects                         project:list
  GET    /projects/{id}                    project:list
  GET    /projects/{id}/activities         project:list
  POST   /projects                         project:create
  PUT    /projects/{id}                    project:update
  PUT    /projects/{id}/archive            project:update
  PUT    /projects/{id}/members/{userId}   project:update
  DELETE /projects/{id}/members/{userId}   project:update
  GET    /projects/{id}/tasks              project:list
  POST   /projects/{id}/tasks              task:create
  GET    /tasks/{id}                       project:list
  PUT    /tasks/{id}                       task:update
  GET    /tasks/{id}/comments              project:list
  POST   /tasks/{id}/comments              project:list
  GET    /tasks/{id}/activities            project:list

  GET    /approvals                        auth
  POST   /approvals                        approval:create
  POST   /approvals/{id}/submit            approval:create
  POST   /approvals/{id}/approve           approval:action
  POST   /approvals/{id}/reject            approval:action
  POST   /approvals/{id}/cancel            approval:create
  GET    /notifications                    auth
  GET    /notifications/unread-count       auth
  PUT    /notifications/{id}/read          auth
  PUT    /notifications/read-all           auth
  GET    /audit/operations                 audit:view
  POST   /files                            file:upload
  GET    /files/{tenantId}/{filename}      auth
  DELETE /files/{tenantId}/{filename}      file:upload

  GET    /content/articles                 auth
  POST   /content/articles                 content:create
  GET    /content/articles/{id}            auth
  PUT    /content/articles/{id}            content:update
  DELETE /content/articles/{id}            content:delete
  GET    /content/categories               auth
  POST   /content/categories               content:create
  GET    /content/categories/{id}          auth
  PUT    /content/categories/{id}          content:update
  DELETE /content/categories/{id}          content:delete

  GET    /public/home                      -
  GET    /public/features                  -
  GET    /public/product                   -
  GET    /public/pricing                   -
  GET    /public/blog                      -
  GET    /public/blog/{id}                 -
  GET    /public/blog/{id}/comments        -
  GET    /public/faq                       -
  GET    /public/docs                      -
  GET    /public/about                     -
  POST   /public/contact                   -

  POST   /blog/{id}/comments               auth
  POST   /payments/checkout                auth

  GET    /dashboard/stats                  auth
  GET    /analytics/overview               analytics:view
  GET    /data/overview                    data:view
  GET    /log/login                        auth
  GET    /log/operation                    auth
  GET    /log/error                        auth
  GET    /config/list                      auth
  GET    /dept/list                        auth
  GET    /dict/list                        auth
  GET    /notice/list                      auth
  GET    /monitor/online                   auth
  GET    /monitor/server                   auth
`)

/** Sections 2 and 4 of the contract: what real clients and operators need beside it. Plug-ins name theirs. */
export const BEYOND = [
  ...(await defaultsOfPlugins<string>('test/endpoints.ts')).flatMap(read),
  ...read(`
  POST   /auth/login                       -
  POST   /auth/register                    -
  POST   /auth/refresh                     -
  POST   /auth/logout                      auth
  GET    /auth/me                          auth
  PUT    /auth/password                    auth

  GET    /approvals/{id}                   auth
  PUT    /approvals/{id}                   approval:create
  POST   /approvals/{id}/reassign          administrator
  DELETE /tasks/{id}                       task:update
  POST   /tasks/{id}/restore               task:update
  GET    /departments/{id}                 department:list
  GET    /tenants/{id}                     system tenant:list
  PUT    /projects/{id}/unarchive          project:update
  GET    /files                            auth
  GET    /public/files/{tenantId}/{filename}  -
  POST   /tenant/renewals                  settings:manage
  GET    /content/contact-messages         content:list
  PUT    /content/contact-messages/{id}    content:update
  DELETE /content/contact-messages/{id}    content:delete
  GET    /content/comments                 content:update
  PUT    /content/portal/{section}         content:update
  PUT    /content/comments/{id}            content:update
  GET    /payments/orders                  auth
  GET    /payments/orders/{orderNo}        auth

  GET    /users                            user:list
  POST   /users                            user:create
  GET    /users/directory                  auth
  GET    /users/me                         auth
  PUT    /users/me                         auth
  GET    /users/{id}                       user:list
  PUT    /users/{id}                       user:update
  DELETE /users/{id}                       user:delete
  POST   /users/{id}/restore               user:create
  GET    /users/{id}/responsibilities      user:update
  POST   /users/{id}/hand-over             user:update
  GET    /roles                            role:list
  POST   /roles                            role:create
  GET    /roles/{id}                       role:list
  PUT    /roles/{id}                       role:update
  DELETE /roles/{id}                       role:delete
  GET    /permissions                      role:list
  POST   /permissions                      system role:permission
  PUT    /permissions/{id}                 system role:permission
  DELETE /permissions/{id}                 system role:permission
  GET    /menus                            auth
  POST   /menus                            system menu:create
  GET    /menus/tree                       menu:list
  GET    /menus/{id}                       menu:list
  PUT    /menus/{id}                       system menu:update
  DELETE /menus/{id}                       system menu:delete
`),
]

/** Section 3 of the contract: what the roles of the service hold of the catalogue. */
export const HOLDINGS: Record<string, (permission: string) => boolean> = {
  user: (permission) =>
    /^(department:list|project:(list|create|update)|task:(create|update)|approval:(create|action)|file:upload)$/.test(
      permission,
    ),
  'tenant-admin': (permission) => !/^(tenant:list|menu:(create|update|delete))$/.test(permission),
  admin: () => true,
}

function read(table: string): Endpoint[] {
  return [...table.matchAll(/^ +([A-Z]+) +(\S+) +(.+)$/gm)].map(([, method, path, demands]) => ({
    method: method!,
    path: path!.replace(/\{(\w+)\}/g, ':$1'),
    demands: demands!,
  }))
}
