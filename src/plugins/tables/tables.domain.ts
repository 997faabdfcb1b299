import { domain } from '#atrium'
import { tenants } from '#atrium/tenants'
import { csvForm } from './csv/csv-form.ts'

const words = {
  sentences: {
    'A table is being sent to you already': '正在向您发送一份表格',
  },
} as const

declare module '#atrium' {
  interface Domains {
    tables: typeof words
  }
}

export default domain({
  name: 'tables',
  about: 'Lists as tables for spreadsheets, and tables that become tasks and people',
  uses: [tenants],
  ...words,
  hooks: (app) => app.offerListsAs(csvForm(app)),
  document: new URL('./openapi.json', import.meta.url),
})
