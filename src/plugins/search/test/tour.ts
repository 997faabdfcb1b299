import { lines } from '../../../../tools/tour/cast.ts'
import { expect } from '../../../../tools/tour/guide.ts'
import type { Part } from '../../../../tools/tour/parts.ts'

/** One search in everything that a person may see. */
const part: Part = {
  shows: 'One search finds',
  async tell({ chapter, tell, run }, { admin, neighbour, projectId }) {
    chapter('A search')
    const find = () => admin.search({ q: run, limit: 50 })
    await tell(
      'One search finds people, projects and whatever else has the word, titles first.',
      find,
      200,
      (found) => {
        const people = found.filter(({ type }) => type === 'person')
        expect(people.length > 0 && found.some(({ type, id }) => type === 'project' && id === projectId), 'both')
        return lines([...people.slice(0, 2), ...found.slice(-1)], ({ type, title }) => `${type.padEnd(9)}${title}`)
      },
    )
    const plank = () => admin.search({ q: '"by the riv', types: 'project', limit: 1 })
    await tell('Quoted words stand in this order, and the last one may be a beginning.', plank, 200, ([first]) => {
      expect(first?.title === 'A bench by the river', 'the project')
      return first.title
    })
    const peep = () => neighbour.search({ q: 'bench by the river', types: 'project' })
    await tell('The neighbour finds nothing of it.', peep, 200, { length: 0 })
  },
}
export default part
