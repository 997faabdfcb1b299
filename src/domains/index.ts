import { type Domain, introduce } from '../atrium/domain.ts'
import { adminData } from './admin-data/admin-data.domain.ts'
import { approvals } from './approvals/approvals.domain.ts'
import { audit } from './audit/audit.domain.ts'
import { auth } from './auth/auth.domain.ts'
import { checkout } from './checkout/checkout.domain.ts'
import { comments } from './comments/comments.domain.ts'
import { content } from './content/content.domain.ts'
import { files } from './files/files.domain.ts'
import { menus } from './menus/menus.domain.ts'
import { notifications } from './notifications/notifications.domain.ts'
import { organization } from './organization/organization.domain.ts'
import { people } from './people/people.domain.ts'
import { portal } from './portal/portal.domain.ts'
import { projects } from './projects/projects.domain.ts'
import { roles } from './roles/roles.domain.ts'
import { tasks } from './tasks/tasks.domain.ts'
import { tenants } from './tenants/tenants.domain.ts'
import { users } from './users/users.domain.ts'

/** The domains of the core, in the order of the API document. */
export const CORE: readonly Domain[] = [
  auth,
  tenants,
  organization,
  people,
  users,
  roles,
  menus,
  projects,
  tasks,
  approvals,
  notifications,
  audit,
  files,
  content,
  portal,
  comments,
  checkout,
  adminData,
]

introduce(CORE)
