import { type CommandLine, Misunderstood } from '#atrium'
import { assertNotName, newPassword } from './password.rules.ts'

/** A new password, which an operator gives to the command line and which meets the rules. @throws Refusal, Misunderstood */
export async function readNewPassword(
  { readPassword }: Pick<CommandLine, 'readPassword'>,
  file: string | undefined,
  whose: string,
): Promise<string> {
  const password = await readPassword(file, whose)
  const checked = newPassword(10).safeParse(password)
  if (password.length < 10 || password.length > 128)
    throw new Misunderstood('The password must have 10 to 128 characters.')
  if (!checked.success) throw new Misunderstood(`The password ${checked.error.issues[0]!.message}.`)
  assertNotName(password, { username: whose }, '')
  return password
}
