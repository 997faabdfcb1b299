import { domain } from 'atrium'
import { projects } from 'atrium/projects'
import { tasks } from 'atrium/tasks'
import { labelEvents } from './labels.events.ts'
import { labelRoutes } from './labels.routes.ts'
import { LabelAction } from './labels.schemas.ts'

const words = {
  permissions: {
    'label:view': ['tenant-admin', 'user'],
    'label:manage': ['tenant-admin'],
  },
  resources: ['label'],
  activities: {
    label: LabelAction.options,
    task: ['LABEL_ATTACHED', 'LABEL_DETACHED'],
  },
  events: labelEvents,
  notifications: {
    TASK_LABELLED: { en: '{title} was labelled {label}', zh: '任务 {title} 被加上标签 {label}' },
  },
  sentences: {
    'Label not found': '标签不存在',
    'There is a label with this name already': '已有同名标签',
    'The label was changed by someone else': '标签已被他人修改',
    'read the label and try again': '请刷新标签后重试',
    'must be a colour of six hexadecimal digits': '必须是六位十六进制颜色值',
  },
} as const

declare module 'atrium' {
  interface Domains {
    labels: typeof words
  }
}

/** Labels of a tenant, and the tasks that have them. */
export default domain({
  name: 'labels',
  uses: [projects, tasks],
  ...words,
  tags: {
    labels: {
      description: 'Labels of the tenant, and the tasks that have them.',
      paths: ['/labels', '/tasks/:id/labels'],
    },
  },
  migrations: new URL('./migrations/', import.meta.url),
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  routes: labelRoutes,
})
