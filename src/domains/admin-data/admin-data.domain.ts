import { domain } from '#atrium'
import { adminDataRoutes } from './admin-data.routes.ts'

const words = {
  permissions: {
    'dashboard:view': ['tenant-admin'],
    'log:view': ['tenant-admin'],
    'analytics:view': ['tenant-admin'],
    'data:view': ['tenant-admin'],
  },
} as const

declare module '#atrium' {
  interface Domains {
    'admin-data': typeof words
  }
}

export const adminData = domain({
  name: 'admin-data',
  ...words,
  tags: {
    'admin-data': {
      description: 'Figures for the admin pages. They are fixed demo data and the same on every call.',
      paths: ['/analytics', '/config', '/dashboard', '/data', '/dept', '/dict', '/log', '/monitor', '/notice'],
    },
  },
  routes: adminDataRoutes,
})
