/** What other domains may use. */
export { assertMayUsePassword, authFaults, holdSession, openSession, resetPassword } from './auth.actions.ts'
export { auth } from './auth.domain.ts'
export { type Passwords, type Proof, passwords, type SecondFactors, secondFactors } from './auth.rules.ts'
export { TokenPair } from './auth.schemas.ts'
export { endSessions, lastSignInOf, type Place } from './auth.store.ts'
export { keyHolders, type OpenKeyHolders, type Rights } from './callers.ts'
export { limitGuesses } from './guesses.ts'
export { placeOf, tokenPairOf, transactAsPerson } from './opened-session.ts'
