import { type DomainRoutes, IdParams, idOf, view, z } from '#atrium'
import { organizationFaults } from '#atrium/organization'
import { kindsOfWork, peopleFaults } from '#atrium/people'
import { handOver, listResponsibilities } from './hand-over.actions.ts'
import { handOverFaults } from './hand-over.rules.ts'

const HandOver = z.object({ toUserId: idOf('users') }).meta({ id: 'HandOver', examples: [{ toUserId: 9 }] })

/** What a person is responsible for, and passing it to somebody else. */
export const handOverRoutes: DomainRoutes = async (app) => {
  // One list for each kind of work that a domain declares, those of domains from outside too.
  const ofEachKind = <Shape extends z.ZodType>(shape: Shape) =>
    z.object(Object.fromEntries(kindsOfWork().map(({ kind }) => [kind, shape])))
  const Held = z
    .object({ id: view.id, name: view.text })
    .meta({ id: 'Responsibility', examples: [{ id: 4, name: 'Relaunch of the website' }] })
  const Responsibilities = ofEachKind(z.array(Held)).meta({ id: 'Responsibilities' })
  const HandedOver = ofEachKind(z.number().int()).meta({
    id: 'HandedOver',
    examples: [Object.fromEntries(kindsOfWork().map(({ kind, example }) => [kind, example]))],
  })

  app.get(
    '/users/:id/responsibilities',
    {
      config: { access: 'user:update' },
      schema: {
        operationId: 'listResponsibilities',
        summary: 'List what a user is responsible for',
        description:
          'Projects that they own, archived ones too; open tasks that they have; departments that they lead; requests that wait for them, or that they made and that are not decided. This is what keeps the user, or service account, from being deleted. Invitations that they sent and that are not accepted do not: they end with the user. Of each kind the first 1000 are listed. Names are blank unless the caller is an administrator, who sees everything of the tenant.',
        params: IdParams,
        response: { 200: Responsibilities },
      },
    },
    (req) => listResponsibilities(req.scope, req.params.id, req.user),
  )

  app.post(
    '/users/:id/hand-over',
    {
      config: { access: 'user:update' },
      schema: {
        operationId: 'handOver',
        summary: 'Hand over what a user is responsible for',
        description:
          'Passes all of it from a user or a service account to another active user, or nothing: afterwards nothing keeps the user from being deleted. The other user becomes a member of the projects and of the department, and gets the invitations that they could send themselves: the mailed links go on, the link that was shown is dead. The caller must hold every permission of both. The answer has the counts; one hand-over passes on at most 10 000 of each kind.',
        params: IdParams,
        body: HandOver,
        response: { 200: HandedOver },
        refuses: [
          peopleFaults.notFound,
          handOverFaults.cannotTakeOver,
          handOverFaults.tooMuch,
          organizationFaults.memberIsLeader,
        ],
      },
    },
    (req) => req.transact((tx) => handOver(tx, req.params.id, req.body.toUserId)),
  )
}
