import { arrayQuery, idOf, MailStatus, optionalText, text, view, z } from '#atrium'
import { Nickname, newPassword, Username } from '#atrium/people'
import { idSetOf } from '#atrium/roles'

export const InvitationStatus = z.enum(['pending', 'accepted', 'withdrawn', 'expired']).meta({ id: 'InvitationStatus' })
export type InvitationStatus = z.output<typeof InvitationStatus>

export const InvitationDraft = z
  .object({
    email: text(128).pipe(z.email()),
    roleIds: idSetOf('roles').describe('What the person may do; by default the role `user`'),
    departmentId: idOf('departments').nullish(),
    note: optionalText(500).describe('Some words to the person, shown in the mail'),
  })
  .meta({ id: 'InvitationDraft', examples: [{ email: 'grace@velora.example', note: 'See you on Monday.' }] })
export type InvitationDraft = z.output<typeof InvitationDraft>

export const InvitationQuery = arrayQuery({ status: InvitationStatus.optional() })

const shape = {
  id: view.id,
  email: view.text,
  roles: z.array(z.string()).describe('Codes; a role that was deleted is not among them any more'),
  departmentId: view.maybeId,
  status: InvitationStatus.describe(
    '`withdrawn` also as long as the person who sent it could not send it now: they have gone, are disabled or have lost a right, or its roles were deleted. Another person can send it again.',
  ),
  mailStatus: MailStatus.nullable().describe(
    'What became of its mail: `dead` if the mail server refused it or could not be reached for a day; `null` if none was sent, or 30 days later',
  ),
  expiresAt: view.instant,
  createdAt: view.instant,
  invitedById: view.id.describe('Who sent it last'),
  invitedByName: view.person,
}
const example = {
  id: 12,
  email: 'grace@velora.example',
  roles: ['user'],
  departmentId: null,
  status: 'pending' as const,
  mailStatus: 'sent' as const,
  invitedByName: 'Ada Lovelace',
  expiresAt: '2026-11-29T09:30:00.000Z',
}

export const InvitationView = z.object(shape).meta({ id: 'Invitation', examples: [example] })
export type InvitationView = z.output<typeof InvitationView>

export const SentInvitation = z
  .object({
    ...shape,
    acceptUrl: view.text.describe(
      'Shown only here, and not the link in the mail: anyone who has it can accept the invitation, with an address that is not verified',
    ),
  })
  .meta({
    id: 'SentInvitation',
    examples: [
      {
        ...example,
        acceptUrl: 'https://atrium.example/account/invitation#token=1.Zr3pN0vXk2Qm8sYtB5wLd7hJf9gRc4aUe6iKoPxTnMs',
      },
    ],
  })

const token = z.string().min(1).max(512).describe('From the fragment of the link')
const EXAMPLE = '1.Zr3pN0vXk2Qm8sYtB5wLd7hJf9gRc4aUe6iKoPxTnMs'

export const InvitationToken = z
  .object({ token })
  .meta({ id: 'InvitationPreviewRequest', examples: [{ token: EXAMPLE }] })

export const InvitationPreview = z
  .object({
    tenantCode: view.text,
    tenantName: view.text,
    email: view.text,
    invitedByName: view.person,
    expiresAt: view.instant,
  })
  .meta({
    id: 'InvitationPreview',
    examples: [
      {
        tenantCode: 'velora',
        tenantName: 'Velora',
        email: 'grace@velora.example',
        invitedByName: 'Ada Lovelace',
        expiresAt: '2026-11-29T09:30:00.000Z',
      },
    ],
  })

export const InvitationAcceptance = z
  .object({ token, username: Username, password: newPassword(6), nickname: Nickname })
  .meta({
    id: 'InvitationAcceptRequest',
    examples: [{ token: EXAMPLE, username: 'grace', password: 'correct horse battery staple', nickname: 'Grace' }],
  })
export type InvitationAcceptance = z.output<typeof InvitationAcceptance>
