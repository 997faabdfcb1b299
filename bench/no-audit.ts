/** The actions of the audit, but for the one that every command pays for. */
export * from '../src/domains/audit/audit.actions.ts'

export function recordOperation(): void {}
