import { isDeclaredPermission } from '../../kernel/access.ts'
import { fault, notFound } from '../../kernel/fault.ts'

export const permissionFaults = {
  notFound: notFound('Permission'),
  codeTaken: fault('PERMISSION_CODE_TAKEN', 409, 'This permission code is taken'),
  reserved: fault('RESERVED', 409, 'This permission is part of the service'),
  inUse: fault('PERMISSION_IN_USE', 409, 'A role still holds this permission'),
}

/** Routes demand the permissions of the closed union; their codes are not data. */
export function isBuiltIn(code: string): boolean {
  return isDeclaredPermission(code)
}
