import pg from 'pg'

/** What the service reads and compares relies on these, whatever a database or a role sets. Poolers pass both on. */
const SESSION = { DateStyle: 'ISO, YMD', TimeZone: 'UTC' }

/** A connection to PostgreSQL with the settings of the session that the service needs. */
export class Client extends pg.Client {
  /** What a connection begins with. pg has no option for settings that it does not know by name. */
  getStartupConf(): Record<string, unknown> {
    const { getStartupConf } = pg.Client.prototype as unknown as Client
    return { ...getStartupConf.call(this), ...SESSION }
  }
}
