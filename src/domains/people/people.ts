/** What other domains may use. */
export { changeAvatar } from './avatars.actions.ts'
export { avatarUrlAs, findAvatar } from './avatars.store.ts'
export {
  calledSo,
  credentialsMark,
  findCredentials,
  findLiving,
  findPasswordHash,
  findPasswordToReplace,
  findReachable,
  findReceiver,
  findVerifiedAt,
  getCredentialsMark,
  listReachableAt,
  listReceivers,
  lockSecondFactor,
  retireUser,
  reviveUser,
  type SecondFactorOf,
  savePasswordHash,
  savePreferences,
  saveSecondFactorAt,
  saveVerifiedAddress,
  shareLockCredentials,
  usernameOfWho,
} from './credentials.store.ts'
export {
  type Dependent,
  dependents,
  endDependents,
  type Held,
  kindsOfWork,
  MOST_HANDED_OVER,
  MOST_TOLD_SINGLY,
  takeBack,
  type Work,
  watchDependents,
} from './dependents.ts'
export { readNewPassword } from './names/operator-password.ts'
export { assertChosenWell, assertNotName, newPassword, notBlank } from './names/password.rules.ts'
export { appearanceOf, foldName, Nickname, nicknameSkeletonOf, typed, Username } from './names/usernames.ts'
export { appoint, findOfficeHolder, holdsOffice } from './office.store.ts'
export { assertTurn, hashPassword, NO_PASSWORD, passwordQueue, verifyPassword } from './passwords.ts'
export { people } from './people.domain.ts'
export { recordStatus, recordUser, recordUserChanges, recordUserFields, type UserField } from './people.events.ts'
export { peopleFaults } from './people.rules.ts'
export { AnyStatus, AvatarUrl, UserStatus, UserView } from './people.schemas.ts'
export {
  activateUser,
  active,
  everybody,
  findNamesake,
  findNicknamed,
  findNicknamedOf,
  findPerson,
  findPersonCalled,
  insertUser,
  listNamesShown,
  living,
  livingPeople,
  localeOf,
  lockUser,
  nameAs,
  nameOf,
  nameOfWho,
  personAs,
  personOf,
  saveUser,
  saveUsername,
  services,
  shareLockUser,
  statusOf,
  stillLiving,
  userColumns,
} from './people.store.ts'
