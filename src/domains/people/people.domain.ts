import { domain } from '../domain.ts'
import { peopleRoutes } from './people.routes.ts'

const words = {
  sentences: {
    'User not found': '用户不存在',
    '{permission} is not yours': '您没有 {permission} 权限',
    'This user name is taken': '该用户名已被使用',
    'This role code is taken': '该角色编码已被使用',
    'only administrators decide about administrators': '只有管理员才能管理其他管理员',
  },
} as const

declare module '../../kernel/domain.ts' {
  interface Domains {
    people: typeof words
  }
}

export const people = domain({
  name: 'people',
  ...words,
  routes: peopleRoutes,
})
