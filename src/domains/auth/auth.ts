/** What other domains may use. */
export { authFaults, checkCredentials, openSession, resetPassword } from './auth.actions.ts'
export { auth } from './auth.domain.ts'
export { endSessions, forgetNetworks, listLivingSessions } from './auth.store.ts'
export { type Rights, type RightsOf, rememberRights, rememberUsers } from './callers.ts'
export { limitGuesses } from './guesses.ts'
export { watchSightings } from './sightings.ts'
