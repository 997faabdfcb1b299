import { cloneDatabase, openInspector } from './database.ts'
import { type ServiceOptions, startProcess } from './service.ts'
import { startHere } from './service-here.ts'
import { type Company, foundCompanies, startWorkload, type WorkloadOptions } from './workload.ts'

/** Companies that a service has made which has its usual time, for one that is given little. */
export async function foundCompaniesIn(databaseUrl: string, count?: number): Promise<Company[]> {
  const founder = await startHere(databaseUrl)
  const companies = await foundCompanies(founder.remote, count)
  await founder.stop()
  return companies
}

/**
 * The real service at work: its database is looked at from outside, and clients are served until the file ends.
 * @param way the URL by which the service reaches the database, if it is another one
 */
export async function openLoad(
  clients: WorkloadOptions,
  { databaseUrl, way, ...options }: Partial<ServiceOptions> & { way?: string } = {},
) {
  const url = databaseUrl ?? (await cloneDatabase())
  const look = await openInspector(url)
  const companies = await foundCompaniesIn(url)
  const service = await startProcess({ ...options, databaseUrl: way ?? url })
  const workload = startWorkload(() => service.remote, companies, clients)
  await workload.served(clients.clients)
  return { look, service, companies, workload }
}
export type Load = Awaited<ReturnType<typeof openLoad>>
