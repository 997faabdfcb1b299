import type { Breach } from '../exceptions.ts'
import { lineOf, type Source, type SourceFile } from '../source.ts'

/** A variable of a module, or a collection that something can be put into. */
const STATE =
  /^(?:export )?(?:let (\w+)|const (\w+)(?:: [^=]+)? = (?:new (?:Map|WeakMap|Set|LRUCache)\b[^(]*\(\)|\[\]$|\{\}$))/gm

/** A replica knows nothing of what another has in its memory, and a restart forgets it. */
export function findStateInProcess(sources: readonly Source[]): Breach[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(STATE)].map(({ 1: variable, 2: collection, index }) => ({
      place: `${path} ${variable ?? collection}`,
      says: `${path}:${lineOf(text, index)} keeps ${variable ?? collection} in the process, where no other replica sees it: keep it in a table`,
    })),
  )
}

/** `forEach` and its like do not wait: the transaction ends first, and a failure is nobody's. */
export function findForgottenCallbacks(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\.(forEach|filter|some|every|find|sort)\(async\b/g)].map(
      ({ 1: method, index }) =>
        `${path}:${lineOf(text, index)} gives ${method} an async function, for which it does not wait: use for … of with await, or Promise.all over map`,
    ),
  )
}

/** Only `req.transact` writes the audit row and claims the Idempotency-Key in the commit of the command. */
export function findTransactionsPastRequest(sources: readonly SourceFile[]): Breach[] {
  return sources
    .filter(({ path }) => path.endsWith('.routes.ts'))
    .flatMap(({ path, imports }) =>
      imports.flatMap(({ names }) =>
        [...names.matchAll(/\b(transact|openScope|enterTenant)\b/g)].map(([, door]) => ({
          place: `${path} ${door}`,
          says: `${path} imports ${door}, past the audit and the Idempotency-Key of the request: use ${door === 'transact' ? 'req.transact' : 'req.scope'}`,
        })),
      ),
    )
}

/** A refusal that is caught tells nobody, and the command goes on as if it had been done. */
export function findSwallowedFaults(sources: readonly Source[]): Breach[] {
  return sources
    .filter(({ path }) => /\.(actions|routes)\.ts$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\bcatch (?:\(\w+\) )?\{([\s\S]*?)\n( *)\}|\.catch\(\(\) =>/g)]
        .filter(({ 1: body }) => !/\bthrow\b/.test(body ?? ''))
        .map(({ index }) => ({
          place: path,
          says: `${path}:${lineOf(text, index)} catches what is thrown and goes on, so that a refusal is lost: throw it again`,
        })),
    )
}
