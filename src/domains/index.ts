import { type Domain, introduce } from '../atrium/domain.ts'
import { account } from './account/account.domain.ts'
import { adminData } from './admin-data/admin-data.domain.ts'
import { approvals } from './approvals/approvals.domain.ts'
import { audit } from './audit/audit.domain.ts'
import { auth } from './auth/auth.domain.ts'
import { calendar } from './calendar/calendar.domain.ts'
import { checkout } from './checkout/checkout.domain.ts'
import { comments } from './comments/comments.domain.ts'
import { content } from './content/content.domain.ts'
import { events } from './events/events.domain.ts'
import { files } from './files/files.domain.ts'
import { identityProvider } from './identity-provider/identity-provider.domain.ts'
import { invitations } from './invitations/invitations.domain.ts'
import { keys } from './keys/keys.domain.ts'
import { mail } from './mail/mail.domain.ts'
import { menus } from './menus/menus.domain.ts'
import { notifications } from './notifications/notifications.domain.ts'
import { organization } from './organization/organization.domain.ts'
import { payments } from './payments/payments.domain.ts'
import { people } from './people/people.domain.ts'
import { plans } from './plans/plans.domain.ts'
import { portability } from './portability/portability.domain.ts'
import { portal } from './portal/portal.domain.ts'
import { projects } from './projects/projects.domain.ts'
import { roles } from './roles/roles.domain.ts'
import { scim } from './scim/scim.domain.ts'
import { secondFactor } from './second-factor/second-factor.domain.ts'
import { settings } from './settings/settings.domain.ts'
import { substitutes } from './substitutes/substitutes.domain.ts'
import { system } from './system/system.domain.ts'
import { tasks } from './tasks/tasks.domain.ts'
import { tenants } from './tenants/tenants.domain.ts'
import { users } from './users/users.domain.ts'
import { webhooks } from './webhooks/webhooks.domain.ts'

/** All domains, in the order of the API document. */
export const DOMAINS: readonly Domain[] = [
  auth,
  account,
  secondFactor,
  tenants,
  organization,
  people,
  users,
  substitutes,
  invitations,
  identityProvider,
  roles,
  keys,
  scim,
  settings,
  plans,
  portability,
  mail,
  menus,
  projects,
  tasks,
  calendar,
  approvals,
  notifications,
  audit,
  events,
  webhooks,
  files,
  content,
  portal,
  comments,
  checkout,
  payments,
  system,
  adminData,
]

introduce(DOMAINS)
