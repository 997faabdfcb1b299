import { sentence, text, Version, view, z } from '#atrium'
import { isIssuer, MOST_GROUPS } from './identity-provider.rules.ts'

const Issuer = text(512).refine(isIssuer, sentence('must be an encrypted address without a query'))
export const PasswordSignIn = z.enum(['allowed', 'forbidden']).meta({ id: 'PasswordSignIn' })

const GroupRoles = z
  .record(z.string().min(1).max(255), z.string().min(1).max(64))
  .refine((roles) => Object.keys(roles).length <= MOST_GROUPS, sentence('must name no more than 200 groups'))
  .describe('The code of the role that each group gives')

export const ProviderDraft = z
  .object({
    issuer: Issuer.optional(),
    clientId: text(255).optional(),
    clientSecret: z.string().min(1).max(1024).optional().describe('Never shown again'),
    groupsClaim: text(128)
      .nullish()
      .describe('The claim that lists the groups of a person; without it, groups give no roles'),
    groupRoles: GroupRoles.optional(),
    createUsers: z.boolean().optional().describe('Whether somebody whom only the provider knows gets an account'),
    passwordSignIn: PasswordSignIn.optional(),
    ownRedirect: z
      .boolean()
      .optional()
      .describe(
        'Whether the provider leads people back to an address of this tenant alone, which it must then know instead of the shared one. Recommended if its discovery lacks `authorization_response_iss_parameter_supported`',
      ),
    version: Version.optional(),
  })
  .meta({
    id: 'IdentityProviderDraft',
    examples: [
      {
        issuer: 'https://login.example.com',
        clientId: 'atrium',
        clientSecret: 'a secret of the provider',
        groupsClaim: 'groups',
        groupRoles: { engineering: 'user' },
        createUsers: true,
        passwordSignIn: 'allowed',
      },
    ],
  })
export type ProviderDraft = z.output<typeof ProviderDraft>

export const ProviderView = z
  .object({
    issuer: view.text,
    clientId: view.text,
    groupsClaim: view.maybeText,
    groupRoles: GroupRoles,
    createUsers: z.boolean(),
    passwordSignIn: PasswordSignIn,
    ownRedirect: z.boolean(),
    redirectUri: view.text.describe('The address of Atrium that the provider must know'),
    version: view.version,
  })
  .meta({
    id: 'IdentityProvider',
    examples: [
      {
        issuer: 'https://login.example.com',
        clientId: 'atrium',
        groupsClaim: 'groups',
        groupRoles: { engineering: 'user' },
        createUsers: true,
        passwordSignIn: 'allowed',
        ownRedirect: false,
        redirectUri: 'https://atrium.example.com/api/v1/auth/oidc/callback',
        version: 1,
      },
    ],
  })

const tenantCode = z.string().trim().max(64).optional().describe('The default is `default`')

export const StartQuery = z.object({
  tenantCode,
  returnTo: z
    .string()
    .min(1)
    .max(1024)
    .meta({
      description: 'The page to come back to, of an allowed origin',
      examples: ['https://app.example.com/signed-in'],
    }),
  codeChallenge: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, sentence('must be a hash of 43 characters'))
    .optional()
    .describe(
      'The SHA-256 of a secret of the page, in base64url without padding (S256 of RFC 7636). The code then works only with `codeVerifier`, so only in the browser that began',
    ),
})

/** Of what a provider may send, only what is looked at here. */
export const CallbackQuery = z.object({
  state: z
    .string()
    .max(8192)
    .meta({ description: 'From the start', examples: ['v1.k3sPq0Zt9n'] }),
  code: z.string().max(8192).optional(),
  error: z.string().max(255).optional(),
  iss: z.string().max(512).optional().describe('The provider (RFC 9207)'),
})

export type CallbackQuery = z.output<typeof CallbackQuery>

export const CallbackParams = z.object({
  tenantCode: z
    .string()
    .max(64)
    .meta({ description: 'The tenant', examples: ['velora'] }),
})

export const Exchange = z
  .object({
    code: z.string().min(1).max(8192).describe('From the fragment of the page'),
    codeVerifier: z
      .string()
      .regex(/^[A-Za-z0-9._~-]{43,128}$/, sentence('must be 43 to 128 letters and digits'))
      .optional()
      .describe('The secret whose `codeChallenge` was sent to `start`; required if one was sent, refused otherwise'),
  })
  .meta({ id: 'SignInExchange', examples: [{ code: '1.s1.5f2b6c1d9e3a.q8Zt0mVn5sYw3kXf2bJc7dLh9gRa4eUi' }] })

export const MethodsQuery = z.object({ tenantCode })
export const MethodsView = z
  .object({
    password: z.boolean().describe('Whether a form should ask for a user name and a password'),
    identityProvider: z.boolean().describe('Whether a form should offer `/auth/oidc/start`'),
  })
  .meta({ id: 'SignInMethods', examples: [{ password: true, identityProvider: true }] })
