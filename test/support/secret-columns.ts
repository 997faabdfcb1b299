/**
 * Columns that hold a hash of a secret, or what one is derived from. Sealed columns are declared by their domains. A column
 * whose name sounds like a secret and that is in neither list fails a test.
 */
export const HASHES = [
  ...['api_keys.key_hash', 'calendar_keys.key_hash', 'recovery_codes.code_hash', 'refresh_tokens.token_hash'],
  ...['email_confirmations.token_hash', 'email_confirmations.mark'],
  ...['invitations.token_hash', 'invitations.mailed_token_hash'],
  ...['password_resets.token_hash', 'password_resets.mark', 'used_provider_sign_ins.token_hash'],
]
/** A tenant's people keep their passwords when it moves, so these hashes leave with its data. */
export const TAKEN_ALONG = ['users.password_hash']
