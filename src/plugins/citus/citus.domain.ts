import { domain, provideClusters } from '#atrium'
import { applyToCluster } from './setup/apply-to-cluster.ts'
import { findCluster, hasBegun } from './setup/cluster.ts'
import { distribute } from './setup/distribute.ts'
import { findHolesOfShards } from './setup/shards.ts'
import { citus } from './topology/citus.ts'

export default domain({
  name: 'citus',
  about: 'Tenants on the workers of a cluster of Citus, each entered at the one that holds its rows',
  provides: [
    provideClusters({
      async stateOf(client) {
        const cluster = await findCluster(client)
        if (!cluster) return 'none'
        return hasBegun(cluster) ? 'begun' : 'joined'
      },
      apply: applyToCluster,
      distribute,
      async findHoles(client, url, role) {
        const cluster = await findCluster(client)
        return cluster && hasBegun(cluster) ? findHolesOfShards(cluster, url, role) : undefined
      },
      topology: citus,
    }),
  ],
  commands: () => import('./citus.commands.ts'),
  checks: () => import('./citus.checks.ts'),
})
