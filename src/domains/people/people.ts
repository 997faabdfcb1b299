/** What other domains may use of this one. */
export { rememberNames } from './name-cache.ts'
export { assertChosenWell, assertNotName, newPassword, notBlank } from './password.rules.ts'
export { assertTurn, hashPassword, passwordQueue, verifyPassword } from './passwords.ts'
export { people } from './people.domain.ts'
export { peopleFaults } from './people.rules.ts'
export { UserStatus, UserView } from './people.schemas.ts'
export {
  activateUser,
  active,
  appoint,
  everybody,
  findCredentials,
  findNamesake,
  findNicknamed,
  findOfficeHolder,
  findPasswordHash,
  holdsOffice,
  insertUser,
  living,
  lockUser,
  nameAs,
  nameOf,
  nameOfWho,
  personAs,
  personOf,
  retireUser,
  savePasswordHash,
  saveUser,
  shareLockCredentials,
  shareLockUser,
} from './people.store.ts'
export { appearanceOf, Nickname, nicknameSkeletonOf, typed, Username } from './usernames.ts'
