import { fault, notFound, ports, type Tx, type UserId } from '#atrium'

/** What somebody is called from now on; blank for who has gone. */
export interface NameCopy {
  userId: UserId
  username: string
}

/** Domains that store copies of user names, which a change of a name updates. */
export const copiesOfNames = ports<(tx: Tx, copy: NameCopy) => void>('copies of user names')

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
