import { domain } from '#atrium'
import { organization } from '#atrium/organization'
import { people } from '#atrium/people'
import { projects } from '#atrium/projects'
import { roles } from '#atrium/roles'
import { tasks } from '#atrium/tasks'
import { tenants } from '#atrium/tenants'
import { users } from '#atrium/users'
import { csvForm } from './csv/csv-form.ts'
import { tableRoutes } from './tables.routes.ts'

const words = {
  resources: ['project'],
  notifications: {
    TASKS_IMPORTED: { en: '{count} imported tasks are assigned to you', zh: '导入的 {count} 个任务已指派给您' },
  },
  sentences: {
    'A table is being sent to you already': '正在向您发送一份表格',
    'The table has mistakes, and nothing of it was imported': '表格中有错误，未导入任何内容',
    'The table is not valid text': '表格不是有效的文本',
    'A quotation mark is missing, or one is too many': '缺少或多出一个引号',
    'A table has at most {most} rows': '一个表格最多 {most} 行',
    'The row has more cells than the header': '该行的单元格多于标题行',
    'The table is empty': '表格为空',
    'is there twice': '出现了两次',
    'A table has at most {most} passwords': '一个表格最多 {most} 个密码',
    'is required, or an email to invite the person': '必填，或填写邮箱以邀请此人',
  },
} as const

declare module '#atrium' {
  interface Domains {
    tables: typeof words
  }
}

export default domain({
  name: 'tables',
  about: 'Lists as tables for spreadsheets, and tables that become tasks and people',
  uses: [organization, people, projects, roles, tasks, tenants, users],
  ...words,
  hooks: (app) => app.offerListsAs(csvForm(app)),
  tags: {
    tables: {
      description: 'Tables that become tasks and people.',
      paths: ['/projects/:id/tasks/import', '/users/import'],
    },
  },
  console: new URL('./console/', import.meta.url),
  document: new URL('./openapi.json', import.meta.url),
  routes: tableRoutes,
})
