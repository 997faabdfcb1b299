import type { z } from 'zod'

/** One variable of the environment. */
export interface Variable<Type extends z.ZodType = z.ZodType> {
  name: string
  type: Type
  /** for `.env.example` and the command line: what it does, and what applies without it if there is no plain default */
  about: string
  /** production does not start without it, because a default would be a hole */
  needed?: true
  /** must not be shown; of an address only the password */
  hidden?: 'whole' | 'password'
}

export function env<Type extends z.ZodType>(
  name: string,
  type: Type,
  about: string,
  more: Pick<Variable, 'needed' | 'hidden'> = {},
): Variable<Type> {
  return { name, type, about, ...more }
}
