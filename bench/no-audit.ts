/** The actions of the audit, except the one that every command pays for. */
export * from '../src/domains/audit/audit.actions.ts'

export function recordOperation(): void {}
