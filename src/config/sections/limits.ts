import { count, flag, whole } from '../kinds.ts'
import { env } from '../variable.ts'

/** How often things may be done, how many at the same time, and what tenants may lead the service to. */
export const limits = {
  signInLimit: env(
    'SIGN_IN_LIMIT',
    count.default(10),
    'failed sign-ins a minute for each address and user name; in ten minutes ten times as many for each user name, 30 times as many for each address; 0 turns it off',
  ),
  registrationLimit: env(
    'REGISTRATION_LIMIT',
    count.default(20),
    'registrations in ten minutes for each address; 0 turns it off',
  ),
  refreshLimit: env(
    'REFRESH_LIMIT',
    count.optional(),
    'token refreshes a minute for each address, and a sixtieth of that for each token; as many uses of mailed links; by default off, in production 600; 0 turns it off',
  ),
  resetLimit: env(
    'RESET_LIMIT',
    count.default(3),
    'mails with a link for a new password an hour for each account; of requests, 20 for 3 an hour for each address; more are ignored, without saying so; 0 turns it off',
  ),
  mailLimit: env(
    'MAIL_LIMIT',
    count.default(5),
    'mails with a link, such as invitations, an hour that one person may have sent to one address; four times as many for each tenant; 0 turns it off',
  ),
  commentLimit: env(
    'COMMENT_LIMIT',
    count.optional(),
    'comments a minute for each user; by default off, in production 60; 0 turns it off',
  ),
  contactLimit: env(
    'CONTACT_LIMIT',
    count.default(5),
    'contact messages in ten minutes for each address; 0 turns it off',
  ),
  uploadLimit: env(
    'UPLOAD_LIMIT',
    count.optional(),
    'uploads a minute for each user; by default off, in production 300; 0 turns it off',
  ),
  checkoutLimit: env(
    'CHECKOUT_LIMIT',
    count.optional(),
    'orders a minute for each user; by default off, in production 60; 0 turns it off',
  ),
  unknownKeyLimit: env(
    'UNKNOWN_KEY_LIMIT',
    count.default(300),
    'requests a minute with keys that there are not, for each address, before further unknown ones are refused unseen; 0 turns it off',
  ),
  requestLimit: env(
    'REQUEST_LIMIT',
    count.default(0),
    'requests a minute for each user, or for each address without a token (behind a proxy, set TRUST_PROXY); 0 turns it off',
  ),
  streamsMost: env(
    'STREAMS',
    count.default(5000),
    'concurrent live streams of each process, at most half of these for one tenant; the next one is refused with 503',
  ),
  streamsPerUser: env(
    'STREAMS_PER_USER',
    whole(1, 1000).default(12),
    'concurrent live streams of one person on this machine, whatever WORKERS is; the next one closes their oldest',
  ),
  streamHeartbeat: env(
    'STREAM_HEARTBEAT_MS',
    // The client counts a stream as lost after 70 s of silence.
    whole(100, 30_000).default(20_000),
    'how often an idle stream sends a heartbeat',
  ),
  overloadDelay: env(
    'OVERLOAD_DELAY_MS',
    whole(0, 60_000).default(500),
    'how late the event loop may be, twice in a row, before requests are refused with 503; 0 turns it off',
  ),
  oidcPrivateAddresses: env(
    'OIDC_PRIVATE_ADDRESSES',
    flag.default(false),
    'true if identity providers of tenants may be on private addresses, as inside a company; in development they may',
  ),
}
