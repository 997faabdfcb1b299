import { domain, isTimeZone, namesOfPeople, searchables, usable, usages } from '#atrium'
import { fileHolders, files, publicity } from '#atrium/files'
import { avatars, isAvatar } from './avatars.actions.ts'
import { rememberNames } from './names/name-cache.ts'
import { isUsableHash } from './passwords.ts'
import { userEvents } from './people.events.ts'
import { peopleRoutes } from './people.routes.ts'
import { listSearchedPeople, peopleUsed } from './people.store.ts'

const words = {
  events: userEvents,
  sentences: {
    'it is the picture of user {id}': '该文件是用户 {id} 的头像',
    'must be the key of a file': '必须是已上传文件的标识',
    'User not found': '用户不存在',
    '{permission} is not yours': '您没有 {permission} 权限',
    'This user name is taken': '该用户名已被使用',
    'Somebody else is called so': '该名称属于其他用户',
    'must have no invisible characters': '不能包含不可见字符',
    'is among the passwords that are tried first': '过于常见，容易被猜到',
    'must not be the user name, the e-mail address or the name of the tenant': '不能与用户名、邮箱或租户名称相同',
    'This role code is taken': '该角色编码已被使用',
    'only administrators decide about administrators': '只有管理员才能管理其他管理员',
  },
} as const

declare module '#atrium' {
  interface Domains {
    people: typeof words
  }
}

export const people = domain({
  name: 'people',
  uses: [files],
  provides: [
    namesOfPeople.by(rememberNames),
    fileHolders.by(avatars),
    publicity.by(isAvatar),
    searchables.by({ type: 'person', subject: 'user', seenBy: () => ({}), list: listSearchedPeople }),
    usages.by(peopleUsed),
    usable.by({ users: { password_hash: isUsableHash, time_zone: (zone) => zone === null || isTimeZone(zone) } }),
  ],
  ...words,
  routes: peopleRoutes,
})
