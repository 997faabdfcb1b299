import { type From, find, lock, type PartOf, sql, write, writeReturning } from '#atrium'

/** Codes are right for a step before and after the current one; older ones need not be remembered. */
const REMEMBERED_STEPS = 3

const factors = (from: From, p: { userId: number }) =>
  from('secondFactors')
    .select(['secondFactors.secret', 'secondFactors.usedSteps'])
    // By the database's clock, which all processes share.
    .select(sql<string>`clock_timestamp()`.as('now'))
    .where('secondFactors.userId', '=', p.userId)

export const findFactor = find(factors)

export const lockFactor = lock((from, p: { userId: number }) => factors(from, p).forUpdate())

/** Stores a secret that no code has confirmed yet, in place of an earlier one. */
export const saveUnconfirmed = write(({ insert }, p: PartOf<'secondFactors', 'userId' | 'secret'>) =>
  insert('secondFactors', p).onConflict((conflict) =>
    conflict.columns(['tenantId', 'userId']).doUpdateSet({
      secret: p.secret,
      usedSteps: sql<number[]>`'{}'`,
      createdAt: sql<string>`excluded.created_at`,
    }),
  ),
)

/** Uses up the code of a step, and stores the secret as it is sealed now. Changes nothing if it was used before. */
export const useStep = writeReturning(({ update }, p: { userId: number; step: number; secret: string }) =>
  update('secondFactors')
    .set({
      secret: p.secret,
      usedSteps: sql<
        number[]
      >`array(select step from unnest(used_steps) step where step > ${p.step}::bigint - ${sql.lit(REMEMBERED_STEPS)}) || ${p.step}::bigint`,
    })
    .where('secondFactors.userId', '=', p.userId)
    .where(sql<boolean>`not ${p.step}::bigint = any(second_factors.used_steps)`)
    .returning('secondFactors.id'),
)

export const removeFactor = write(({ remove }, p: { userId: number }) =>
  remove('secondFactors').where('secondFactors.userId', '=', p.userId),
)

export const insertRecoveryCode = write(({ insert }, p: { userId: number; codeHash: string }) =>
  insert('recoveryCodes', p),
)

export const findRecoveryCode = find((from, p: { userId: number; codeHash: string }) =>
  from('recoveryCodes')
    .select('recoveryCodes.id')
    .where('recoveryCodes.userId', '=', p.userId)
    .where('recoveryCodes.codeHash', '=', p.codeHash),
)

/** Uses up a recovery code. Changes nothing if it was used before. */
export const useRecoveryCode = writeReturning(({ remove }, p: { userId: number; codeHash: string }) =>
  remove('recoveryCodes')
    .where('recoveryCodes.userId', '=', p.userId)
    .where('recoveryCodes.codeHash', '=', p.codeHash)
    .returning('recoveryCodes.id'),
)

export const removeRecoveryCodes = write(({ remove }, p: { userId: number }) =>
  remove('recoveryCodes').where('recoveryCodes.userId', '=', p.userId),
)
