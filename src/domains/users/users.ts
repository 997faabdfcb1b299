/** What other domains may use. */
export { type AccountForm, addUser, deleteUser, insertPerson, updateUser } from './users.actions.ts'
export { users } from './users.domain.ts'
export { userFaults } from './users.rules.ts'
export { getServiceUser, getUser, listUsers } from './users.store.ts'
