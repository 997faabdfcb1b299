import { api, type DirectoryEntry } from './api.ts'
import { t } from './language.ts'
import { type Loaded, useLoad } from './load.ts'

/** What a person is called. */
export function nameOf({ nickname, username }: { nickname?: string | null; username: string }): string {
  return nickname || username
}

/** The service answers so many at a time. */
const AT_A_TIME = 100

/** The names of people by their ids; someone who has left is a former member. */
export function useNames(ids: readonly number[]): (id: number) => string {
  const wanted = [...new Set(ids)].sort((a, b) => a - b)
  const people: Loaded<Map<number, string>> = useLoad(async () => {
    const names = new Map<number, string>()
    for (let at = 0; at < wanted.length; at += AT_A_TIME) {
      const some: DirectoryEntry[] = await api.listUserDirectory({ ids: wanted.slice(at, at + AT_A_TIME).join(',') })
      for (const one of some) names.set(one.id, nameOf(one))
    }
    return names
  }, [wanted.join(',')])
  return (id) => people.data?.get(id) ?? (people.isLoading ? '…' : t('a former member'))
}
