import { fault } from '#atrium'

export const accountFaults = {
  resetNotFound: fault('RESET_NOT_FOUND', 404, 'This link for a new password cannot be used any more; ask for another'),
  emailTokenNotFound: fault('EMAIL_TOKEN_NOT_FOUND', 404, 'This link cannot be used any more; enter the address again'),
  addressNotConfigured: fault(
    'ADDRESS_NOT_CONFIGURED',
    409,
    'The service does not know its own address, so it can send no links',
  ),
}
