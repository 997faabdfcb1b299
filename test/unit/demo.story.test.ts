import { describe, expect, test } from 'vitest'
import { companies } from '../../demo/companies.ts'
import { bytesOf } from '../../demo/papers.ts'
import { VISITOR } from '../../demo/steps.ts'
import { tellStory } from '../../demo/story.ts'
import { SECTIONS } from '../../src/domains/portal/portal.schemas.ts'

const steps = tellStory()
const of = <Does extends (typeof steps)[number]['does']>(does: Does) =>
  steps.filter((step): step is Extract<typeof step, { does: Does }> => step.does === does)
const repeated = (names: string[]) => names.filter((name, at) => names.indexOf(name) !== at)

test('it is the same story each time it is told, in order of time', () => {
  expect(tellStory()).toEqual(steps)
  expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).sort((a, b) => a - b))
})

describe.each(companies.map((company) => [company.name, company] as const))('%s', (_, company) => {
  const here = steps.filter((step) => step.company === company.code)
  const names = company.people.map(({ username }) => username)

  test('everybody who does something is one of its people, or has no account', () => {
    const strangers = here.filter(({ by }) => by !== VISITOR && !names.includes(by))
    expect(strangers).toEqual([])
  })

  test('everybody is in one department, and each has a leader', () => {
    const placed = company.departments.flatMap(({ leader, members }) => [leader, ...members])
    expect([...placed].sort()).toEqual([...names].sort())
    const codes = company.departments.map(({ code }) => code)
    expect(repeated(codes)).toEqual([])
    for (const { parent, code } of company.departments)
      if (parent) expect(codes.indexOf(parent)).toBeLessThan(codes.indexOf(code))
  })

  test('whatever is recalled by its name has a name of its own', () => {
    const namesOf = (pick: (step: (typeof here)[number]) => string | undefined) =>
      repeated(here.flatMap((step) => pick(step) ?? []))
    expect(namesOf((step) => (step.does === 'draft approval' ? step.approval : undefined))).toEqual([])
    expect(namesOf((step) => (step.does === 'upload file' ? step.file : undefined))).toEqual([])
    expect(namesOf((step) => (step.does === 'write article' ? step.article : undefined))).toEqual([])
    expect(namesOf((step) => (step.does === 'comment article' ? step.content : undefined))).toEqual([])
    expect(namesOf((step) => (step.does === 'leave message' ? step.email : undefined))).toEqual([])
    const orders = here.flatMap((step) =>
      step.does === 'check out' ? `${step.by} ${step.planId} ${step.channel}` : [],
    )
    expect(repeated(orders)).toEqual([])
  })

  test('a paper that belongs to a task comes after it, from a member of its project', () => {
    const attached = here.filter((step) => step.does === 'upload file' && step.task !== undefined)
    expect(attached.length).toBeGreaterThan(0)
    for (const { at, by, task, project } of attached as { at: number; by: string; task: string; project: string }[]) {
      const before = here.filter((step) => step.at < at && 'project' in step && step.project === project)
      expect(before.some((step) => step.does === 'create task' && step.task === task)).toBe(true)
      const isOwner = before.some((step) => step.does === 'create project' && step.by === by)
      expect(isOwner || before.some((step) => step.does === 'add member' && step.member === by)).toBe(true)
    }
  })

  test('what stands on the pages is what a portal may say', () => {
    for (const [section, content] of Object.entries(company.portal))
      expect(SECTIONS[section as keyof typeof SECTIONS].parse(content)).toEqual(content)
  })
})

test('requests are seen in every state that there is', () => {
  const fates = companies.flatMap(({ requests }) => requests.map(({ fate }) => fate))
  expect(new Set(fates).size).toBe(9)
  const words = companies.flatMap(({ requests }) => requests.map(({ words }) => words.length))
  const decisions = of('decide approval').length
  expect(words.reduce((sum, count) => sum + count, 0)).toBe(decisions)
})

test('the papers are of the kinds that their names say, the same on each run', () => {
  const begins: Record<string, RegExp> = { png: /^\x89PNG/, pdf: /^%PDF-1/, md: /^# /, csv: /^[a-z]+,/, txt: /^\S/ }
  const papers = of('upload file')
  for (const { file, holds } of papers) {
    const bytes = bytesOf(holds)
    expect(bytes.toString('latin1'), file).toMatch(begins[file.split('.').at(-1)!]!)
    expect(bytesOf(holds)).toEqual(bytes)
  }
  expect(new Set(papers.map(({ file }) => file.split('.').at(-1)))).toEqual(new Set(Object.keys(begins)))
})
