/** What the long descriptions repeat: a search for nearly this looks at all of each. */
export const PHRASE = 'how we will know that it is done'
/** What everybody signs in with. */
export const PASSWORD = 'correct horse battery'
