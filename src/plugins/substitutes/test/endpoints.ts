/** What the contract demands of the routes of this plug-in, as in `test/support/endpoints.ts`. */
export default `
  PUT    /users/me/substitute              auth
  DELETE /users/me/substitute              auth
  PUT    /users/{id}/substitute            user:update
`
