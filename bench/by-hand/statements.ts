/** The statements of the server by hand: each is prepared once for a connection, and called by its name. */
const columns = `t.id, t.project_id as "projectId", t.title, t.description, t.assignee_id as "assigneeId",
  t.reporter_id as "reporterId", t.priority, t.status, t.due_date as "dueDate", t.version,
  t.created_at as "createdAt", t.updated_at as "updatedAt"`
const mine = `exists (select from project_members m where m.tenant_id = t.tenant_id and m.project_id = t.project_id and m.user_id = $2)`

export const statements = {
  list: `select ${columns}, (select count(*) from tasks where tenant_id = $1 and project_id = $3) as total
           from tasks t where t.tenant_id = $1 and t.project_id = $3
            and exists (select from project_members where tenant_id = $1 and project_id = $3 and user_id = $2)
          order by t.id desc limit $4 offset $5`,
  isMember: 'select from project_members where tenant_id = $1 and user_id = $2 and project_id = $3',
  count: 'select count(*) as total from tasks where tenant_id = $1 and project_id = $2',
  find: `select ${columns} from tasks t where t.tenant_id = $1 and t.id = $3 and ${mine}`,
  lock: `select ${columns} from tasks t where t.tenant_id = $1 and t.id = $3 and ${mine} for update of t`,
  findProject: `select p.status from projects p join project_members m on m.tenant_id = p.tenant_id and m.project_id = p.id
                 where p.tenant_id = $1 and m.user_id = $2 and p.id = $3`,
  insert: `insert into tasks as t (tenant_id, reporter_id, project_id, title, description, priority, due_date, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp(), clock_timestamp()) returning ${columns}`,
  update: `update tasks t set title = $3, description = $4, priority = $5, due_date = $6, version = version + 1,
             updated_at = clock_timestamp() where t.tenant_id = $1 and t.id = $2 returning ${columns}`,
  record: `insert into activities (tenant_id, actor_id, project_id, task_id, version, request_id, action, field_name, old_value, new_value, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp())`,
  // PostgreSQL writes the page itself: as objects, its sixty kilobytes would cost Node three milliseconds.
  blog: `select json_build_object('items', coalesce(json_agg(post), '[]'), 'page', $3::int, 'pageSize', $2::int,
                'total', (select count(*) from articles where tenant_id = t.id and status = 'published'),
                'categories', array(select '全部' union all
                  (select name from categories where tenant_id = t.id and status = 'active' order by id limit 500)))::text as page
           from tenants t left join lateral (
             select a.id, a.title, coalesce(a.author, '') as author, coalesce(c.name, '') as category, a.content,
                    coalesce(a.cover, '') as cover, a.date, a.summary as excerpt, a.tags
               from articles a left join categories c on c.tenant_id = t.id and c.id = a.category_id
              where a.tenant_id = t.id and a.status = 'published'
              order by a.date desc, a.id desc limit $2::int offset ($3::int - 1) * $2::int) as post on true
          where t.code = $1 and t.status = 'active' group by t.id`,
}
export type StatementName = keyof typeof statements
