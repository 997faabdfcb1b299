import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../support/client.ts'
import { formOf, pngOf } from '../support/form.ts'
import { report } from '../support/invariants.ts'
import { obeying } from '../support/obedient.ts'
import { randomFrom } from '../support/workload.ts'
import { openWorld, type Person, type World } from '../support/world.ts'

/** RACE_ROUNDS=100 for the full run. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 3)
const SEED = Number(process.env.RACE_SEED ?? Date.now() % 1_000_000)
const chance = randomFrom(SEED)

let world: World
let author: Person
let editor: Person
beforeAll(async () => {
  world = await openWorld()
  const tenant = await world.givenTenant()
  author = await world.givenUser(tenant)
  editor = tenant.administrator
})
afterAll(() => world?.close())

interface StoredFile {
  key: string
  url: string
}
async function givenFile(person: Person): Promise<StoredFile> {
  const upload = formOf([{ filename: 'a.png', content: pngOf(100) }])
  return (await world.as(person).send({ method: 'POST', url: '/api/v1/files', ...upload })).expect(201)
}
const place = (person: Person, { key }: StoredFile, resourceType: string | null, resourceId: number | null) =>
  world.as(person).put(`/files/${key}/resource`, { resourceType, resourceId })
const remove = (person: Person, { key }: StoredFile) => world.as(person).delete(`/files/${key}`)
const publicStatus = async ({ url }: StoredFile) =>
  (await world.app.inject({ method: 'GET', url: url.replace('/v1/', '/v1/public/') })).statusCode

/** All together, each after as many turns of the loop as chance has it. */
async function together(commands: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
  return Promise.all(
    commands.map(async (command) => {
      for (let turns = Math.floor(chance() * 20); turns > 0; turns--) await new Promise(setImmediate)
      return obeying(command)
    }),
  )
}

describe(`races of files, seed ${SEED}`, () => {
  test('many attach, detach and delete one file: the history tells where it is, and no task keeps a deleted one', async () => {
    const project = await world.givenProject(author)
    const outcomes = { deleted: 0, kept: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const tasks = await Promise.all([1, 2, 3].map(() => world.givenTask(author, project)))
      const file = await givenFile(author)
      const answers = await together([
        ...tasks.flatMap(({ id }) => [() => place(author, file, 'task', id), () => place(author, file, null, null)]),
        () => remove(author, file),
        () => remove(author, file),
      ])
      for (const { status, body } of answers) expect([200, 404, 409], JSON.stringify(body)).toContain(status)

      const history = await world.look.rows<{ task: number; held: number }>(
        `select task_id::float8 as task, sum(case action when 'FILE_ATTACHED' then 1 else -1 end)::int as held
           from activities where task_id = any ($1) and action like 'FILE_%' group by task_id`,
        [tasks.map(({ id }) => id)],
      )
      const held = history.filter((row) => row.held !== 0)
      const rows = await world.look.rows<{ task: number | null }>(
        'select resource_id::float8 as task from files where filename = $1',
        [file.key.split('/')[1]],
      )
      expect(held).toEqual(rows[0]?.task ? [{ task: rows[0].task, held: 1 }] : [])
      if (rows.length === 0) outcomes.deleted++
      else outcomes.kept++
    }
    report('a file that is attached and deleted', [], { rounds: ROUNDS, ...outcomes })
  })

  test('many publish, withdraw, detach and delete: public is what is attached to what is published', async () => {
    const outcomes = { public: 0, hidden: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const article = (await world.as(editor).post('/content/articles', { title: 'x', status: 'draft' })).expect(201)
      const file = await givenFile(editor)
      ;(await place(editor, file, 'article', article.id)).expect(200)
      const publish = (status: string) => () => world.as(editor).put(`/content/articles/${article.id}`, { status })
      const answers = await together([
        publish('published'),
        publish('draft'),
        publish('published'),
        () => place(editor, file, null, null),
        () => place(editor, file, 'article', article.id),
        ...(round % 2 ? [() => world.as(editor).delete(`/content/articles/${article.id}`)] : []),
      ])
      for (const { status, body } of answers) expect([200, 404], JSON.stringify(body)).toContain(status)

      const [row] = await world.look.rows<{ shown: boolean }>(
        `select exists (select from articles a where a.tenant_id = f.tenant_id and a.id = f.resource_id and a.status = 'published') as shown
           from files f where filename = $1`,
        [file.key.split('/')[1]],
      )
      expect(await publicStatus(file)).toBe(row!.shown ? 200 : 404)
      if (row!.shown) outcomes.public++
      else outcomes.hidden++
    }
    report('a file whose article is published', [], { rounds: ROUNDS, ...outcomes })
  })

  test('a picture is chosen while the file is deleted: nobody has one that is not there', async () => {
    const outcomes = { chosen: 0, deleted: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const file = await givenFile(author)
      const [chosen, deleted] = await together([
        () => world.as(author).put('/users/me', { avatarKey: file.key }),
        () => remove(author, file),
      ])
      if (deleted!.status === 200) chosen!.expect(404, 'NOT_FOUND')
      else deleted!.expect(409, 'FILE_IN_USE')
      expect(await publicStatus(file)).toBe(chosen!.status === 200 ? 200 : 404)
      if (chosen!.status === 200) outcomes.chosen++
      else outcomes.deleted++
    }
    report('a picture that is chosen', [], { rounds: ROUNDS, ...outcomes })
  })
})
