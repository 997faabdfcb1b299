/** What the long descriptions repeat: a search for nearly this examines all of each. */
export const PHRASE = 'how we will know that it is done'
/** Everyone's password. */
export const PASSWORD = 'correct horse battery'
