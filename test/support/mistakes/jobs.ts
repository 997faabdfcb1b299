import type { Breach } from '../exceptions.ts'
import { lineOf, type Source } from '../source.ts'
import { isComment } from './clocks.ts'

/** It runs in every process and outlives a stop, and the page of jobs does not show that it fails. */
export function findTimers(sources: readonly Source[]): Breach[] {
  return hits(
    sources,
    /\bsetInterval\(/g,
    () => 'repeats work by setInterval, which the page of jobs does not show: declare it among the jobs of the domain',
  )
}

/** In such a loop the backlog of one tenant holds up all that follow. */
export function findWalksByHand(sources: readonly Source[]): Breach[] {
  return hits(
    sources,
    /\binEveryTenant\(|\beveryTenant\(|\bfor (?:await )?\([^\n]*\b(?:tenantsTogether|sharedScope)\(/g,
    () =>
      'goes through the tenants by hand, where one holds up the others: declare a job with inTenants, whose work is a batch in one of them',
  )
}

/** A route belongs to a process, of which a machine has several; a job runs in one of them. */
export function findJobsInRoutes(sources: readonly Source[]): Breach[] {
  return hits(
    sources.filter(({ path }) => path.endsWith('.routes.ts')),
    /\b(start[A-Z]\w*|openLeasedWork)\(/g,
    (name) =>
      `starts background work in a route by ${name}: declare it among the jobs of the domain, which src/app.ts starts`,
  )
}

/** A setting that no other reads is not checked at the start, and in no list of settings. */
export function findEnvironment(sources: readonly Source[]): Breach[] {
  return hits(
    sources,
    /\bprocess\.env\b/g,
    () =>
      'reads process.env, which nobody checks or documents: add the setting to src/config, and take it from the config that routes and jobs are given',
  )
}

/** For some hours of each day it is another day than that of the people who read it. */
export function findUtcDays(sources: readonly Source[]): Breach[] {
  return hits(
    sources,
    /\.toISOString\(\)\s*(?:\?\.|\.)(?:slice\(0, 10\)|substring\(0, 10\)|split\('T'\))/g,
    () =>
      'forms a day in UTC, which is another one for most people: form it in the time zone of the tenant, which getPolicy returns',
  )
}

/** Not in the part of a domain in the demo, which a tool makes, nor in comments. */
function hits(sources: readonly Source[], pattern: RegExp, tell: (name: string) => string): Breach[] {
  return sources
    .filter(({ path }) => !path.endsWith('/demo.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(pattern)]
        .filter(({ index }) => !isComment(text, index))
        .map(({ 1: name, index }) => ({ place: path, says: `${path}:${lineOf(text, index)} ${tell(name ?? '')}` })),
    )
}
