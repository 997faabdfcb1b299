import type { Part } from '../../../../tools/tour/parts.ts'

/** What an administrator decides for a tenant. */
const part: Part = {
  shows: 'A form sends the version',
  async tell({ chapter, tell }, { admin }) {
    chapter('Settings of the tenant')
    const settings = () => admin.getTenantSettings()
    const decided = 'What an administrator decides for all:'
    const { version, invitationDays } = await tell(decided, settings, 200, (policy) => {
      const { registration, secondFactor, passwordMinLength, sessionDays } = policy
      return `registration ${registration}, second factor ${secondFactor}, passwords of ${passwordMinLength}, sessions of ${sessionDays} days`
    })
    const keep = (stated: number) => () => admin.updateTenantSettings({ body: { invitationDays, version: stated } })
    await tell('A form sends the version that it has read.', keep(version), 200, { invitationDays })
  },
}
export default part
