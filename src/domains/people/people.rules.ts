import { fault } from '../../kernel/fault.ts'

export const peopleFaults = {
  usernameTaken: fault('USERNAME_TAKEN', 409, 'This user name is taken'),
}
