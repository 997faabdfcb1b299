import { type CommandLine, type Commands, type Config, command, Refusal, type System, type Tx } from '#atrium'
import { getSettings, renewalOf, renewTenant } from '#atrium/tenants'
import { settleOrder } from './checkout.actions.ts'

/** How operators extend a tenant. */
export function commands({ config, say, remark, withDatabase, tenantOf, actAs }: CommandLine): Commands {
  const renew = command({
    about: 'Extend a tenant: by the period that RENEWALS has for its plan, or by an order that was paid',
    detail: 'Days that are left are kept. An order counts once, however often it is named.',
    operands: ['CODE'],
    options: { order: { type: 'string', value: 'NO', about: 'mark this order as paid, and extend by its days' } },
    run: async ({ order }, code = '') => {
      const { isNew, expiredAt } = await withDatabase(async (database) => {
        const tenant = await tenantOf(database, code)
        return actAs(database, tenant.id, 'tenant renew', async (tx) => {
          const isNew =
            order === undefined ? await renewByPlan(tx, config(), tenant) : await settleOrder(tx, order, 'paid')
          return { isNew, ...(await getSettings(tx, { id: tenant.id })) }
        })
      })
      if (!isNew) remark(`Order ${order} was paid before; nothing has changed.`)
      say(`Tenant ${code} ${expiredAt ? `runs until ${expiredAt}` : 'does not expire'}.`)
    },
  })

  return { tenant: { about: 'Tenants', commands: { renew } } }
}

async function renewByPlan(tx: Tx<System>, { renewals }: Config, tenant: { plan: string; expiredAt: string | null }) {
  if (tenant.expiredAt === null) throw new Refusal('The tenant does not expire, so there is nothing to renew.')
  const offer = renewalOf(renewals, tenant)
  if (!offer)
    throw new Refusal(
      `RENEWALS offers nothing for the plan ${tenant.plan}. Name a date instead: atrium tenant enable CODE --expires INSTANT`,
    )
  await renewTenant(tx, offer.days)
  return true
}
