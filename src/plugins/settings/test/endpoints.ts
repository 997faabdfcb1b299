/** What the contract demands of the routes of this plug-in, as in `test/support/endpoints.ts`. */
export default `
  GET    /tenant/settings                  settings:view
  PUT    /tenant/settings                  settings:manage
`
