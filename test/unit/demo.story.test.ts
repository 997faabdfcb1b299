import { describe, expect, test } from 'vitest'
import { companies } from '../../demo/companies.ts'
import { VISITOR } from '../../demo/steps.ts'
import { tellStory } from '../../demo/story.ts'

const steps = tellStory()
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

  test('whatever is recalled by its name has a name of its own', () => {
    const namesOf = (pick: (step: (typeof here)[number]) => string | undefined) =>
      repeated(here.flatMap((step) => pick(step) ?? []))
    expect(namesOf((step) => (step.does === 'draft approval' ? step.approval : undefined))).toEqual([])
    expect(namesOf((step) => (step.does === 'upload file' ? step.file : undefined))).toEqual([])
    expect(namesOf((step) => (step.does === 'write article' ? step.article : undefined))).toEqual([])
    expect(namesOf((step) => (step.does === 'comment article' ? step.comment : undefined))).toEqual([])
    expect(namesOf((step) => (step.does === 'leave message' ? step.email : undefined))).toEqual([])
    const orders = here.flatMap((step) =>
      step.does === 'check out' ? `${step.by} ${step.planId} ${step.channel}` : [],
    )
    expect(repeated(orders)).toEqual([])
  })

  test('each change of a request raises its version by one, and a file that is attached is a change', () => {
    const changes = new Map<string, number>()
    for (const step of here) {
      if (!('approval' in step) || step.approval === undefined) continue
      const before = changes.get(step.approval) ?? 0
      if ('version' in step) expect(step.version).toBe(before)
      changes.set(step.approval, before + 1)
    }
    expect(changes.size).toBeGreaterThan(0)
  })

  test('viewers only look on, and nobody changes what is in the bin or what they have not said', () => {
    for (const { step, before } of inProjects()) {
      const isViewer = before.some((one) => one.does === 'add member' && one.role && one.member === step.by)
      if (isViewer) expect(step.does).toBe('watch project')
      if (!('task' in step) || step.does === 'upload file') continue
      const ofTask = before.filter((one) => 'task' in one && one.task === step.task)
      expect(ofTask.some(({ does }) => does === 'delete task')).toBe(false)
      if (step.does !== 'change comment') continue
      const said = ofTask.filter((one) => one.does === 'comment' && one.by === step.by && one.content === step.content)
      expect(said.length).toBeGreaterThan(0)
    }
  })

  /** Each step in a project, with those before it there. */
  function inProjects() {
    const all = here.flatMap((step) => ('project' in step ? step : []))
    const projects = Map.groupBy(all, ({ project }) => project)
    return [...projects.values()].flatMap((steps) => steps.map((step, at) => ({ step, before: steps.slice(0, at) })))
  }

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
})
