/** What other domains may use. */
export {
  calledSo,
  findCredentials,
  findLiving,
  findPasswordHash,
  retireUser,
  reviveUser,
  savePasswordHash,
  shareLockCredentials,
} from './credentials.store.ts'
export { rememberNames } from './name-cache.ts'
export { appoint, findOfficeHolder, holdsOffice } from './office.store.ts'
export { assertChosenWell, assertNotName, newPassword, notBlank } from './password.rules.ts'
export { assertTurn, hashPassword, passwordQueue, verifyPassword } from './passwords.ts'
export { people } from './people.domain.ts'
export { copiesOfNames, type NameCopy, peopleFaults } from './people.rules.ts'
export { AnyStatus, UserStatus, UserView } from './people.schemas.ts'
export {
  activateUser,
  active,
  everybody,
  findNamesake,
  findNicknamed,
  findNicknamedOf,
  findReceiver,
  insertUser,
  living,
  lockUser,
  nameAs,
  nameOf,
  nameOfWho,
  personAs,
  personOf,
  savePreferences,
  saveUser,
  shareLockUser,
  statusOf,
} from './people.store.ts'
export { appearanceOf, foldName, Nickname, nicknameSkeletonOf, typed, Username } from './usernames.ts'
