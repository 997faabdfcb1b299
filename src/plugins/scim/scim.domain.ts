import { domain } from '#atrium'
import { organization } from '#atrium/organization'
import { dependents, people } from '#atrium/people'
import { roles } from '#atrium/roles'
import { users } from '#atrium/users'
import { scimPages } from './scim.routes.ts'
import { removeScimUser } from './scim.store.ts'

const words = {
  sentences: {
    'There is a group of this name already': '已存在同名用户组',
    'Group not found': '用户组不存在',
    'There is nothing of this kind in SCIM': '没有此类资源',
    'The filter is not understood': '无法识别过滤条件',
    'The path is not understood': '无法识别路径',
    'The operation is not understood': '无法识别操作',
    'This cannot be changed': '不能修改此项',
    'This is too much for one answer': '一次返回的数据过多',
    'only {attributes}, compared by eq and joined by and': '仅支持 {attributes} 的相等比较，多个条件须同时满足',
    'cannot be removed': '不能移除',
  },
} as const

declare module '#atrium' {
  interface Domains {
    scim: typeof words
  }
}

export default domain({
  name: 'scim',
  about: 'People and groups from a directory (SCIM 2.0)',
  uses: [organization, people, roles, users],
  ...words,
  provides: [dependents.by({ columns: ['scimUsers.userId'], end: removeScimUser })],
  /** All of it is outside /api/v1: the standard names its addresses. */
  migrations: new URL('./migrations/', import.meta.url),
  pages: scimPages,
})
