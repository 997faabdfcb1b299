import { write } from '../../data/statement.ts'

export const insertOrganization = write(({ insert }, p: { id?: number; name: string; code: string }) =>
  insert('organizations', p),
)
