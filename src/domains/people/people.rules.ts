import { fault, notFound } from '#atrium'

export const peopleFaults = {
  notFound: notFound('User'),
  usernameTaken: fault('USERNAME_TAKEN', 409, 'This user name is taken'),
  nicknameTaken: fault('NICKNAME_TAKEN', 409, 'Somebody else is called so'),
  inUse: fault('USER_IN_USE', 409, 'This person still has work that nobody else would do'),
}
