/** What other domains may use. */
export { assertNobodyElse, insertPerson } from './new-people.ts'
export { type AccountForm, addUser, deleteUser, renameUser, updateUser } from './users.actions.ts'
export { users } from './users.domain.ts'
export { type Confirmations, confirmations, type Invite, inviting, userFaults } from './users.rules.ts'
export { SubstituteView, UserDraft } from './users.schemas.ts'
export { getServiceUser, getUser, listUsers, substituteOf } from './users.store.ts'
