import { type Detail, fault, notFound } from '../../src/kernel/fault.ts'

/** A sentence for a person exists in every language, and has no gaps. Each line below must not compile. */

// @ts-expect-error: a sentence that is not in the catalogue
fault('UNHEARD_OF', 409, 'Nobody has translated this')

// @ts-expect-error: a kind of thing that has no sentence
notFound('Unicorn')

// @ts-expect-error: the sentence of a fault has no facts to fill its gaps
fault('TASK_OPEN', 409, 'task {id} is open')

// @ts-expect-error: the fact that the sentence names is missing
export const forgotten: Detail = { path: 'tasks', message: 'task {id} is open' }

export const complete: Detail = { path: 'tasks', id: 7, message: 'task {id} is open' }
