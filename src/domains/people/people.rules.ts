import { fault, notFound } from '#atrium'

export const peopleFaults = {
  notFound: notFound('User'),
  usernameTaken: fault('USERNAME_TAKEN', 409, 'This user name is taken'),
  nicknameTaken: fault('NICKNAME_TAKEN', 409, 'Somebody else is called so'),
  inUse: fault('USER_IN_USE', 409, 'This person still has work that nobody else would do'),
}

/** What hitting a constraint of the names of people means. */
export const namesTaken = {
  users_username_taken: peopleFaults.usernameTaken,
  users_look_taken: peopleFaults.usernameTaken,
  users_skeleton_taken: peopleFaults.usernameTaken,
}

/** What else is forgotten of a person who may be called otherwise now: public answers name writers and commenters. */
export const renamed = (p: { id: number }) => [{ user: p.id }, 'content'] as const
