import { view, z } from '#atrium'

export const NewSecondFactor = z
  .object({
    secret: view.text.describe('In base32, for typing it into an app'),
    otpauthUrl: view.text.describe('For the QR code that an app scans'),
  })
  .meta({
    id: 'NewSecondFactor',
    examples: [
      {
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        otpauthUrl:
          'otpauth://totp/Atrium%20Velora:ada?issuer=Atrium%20Velora&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
      },
    ],
  })

export const Beginning = z
  .object({ password: z.string().max(128).optional().describe('Required of people who have one') })
  .meta({ id: 'SecondFactorRequest', examples: [{ password: 'correct horse battery staple' }] })
  .nullish()

export const Confirmation = z
  .object({ code: z.string().trim().min(1).max(64) })
  .meta({ id: 'SecondFactorConfirmation', examples: [{ code: '492039' }] })

export const RecoveryCodes = z
  .object({ recoveryCodes: z.array(z.string()).describe('Ten codes, each of which works once') })
  .meta({ id: 'RecoveryCodes', examples: [{ recoveryCodes: ['7K3M-92QX-TV4N-0HJD'] }] })

export const Removal = z
  .object({ password: z.string().min(1).max(128) })
  .meta({ id: 'SecondFactorRemoval', examples: [{ password: 'correct horse battery staple' }] })
