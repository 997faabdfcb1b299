import type { Company } from './people.ts'
import type { Step } from './story.ts'

export interface Department {
  code: string
  name: string
  parent: string | null
  leader: string
  /** those besides the leader */
  members: string[]
}

/** One department a line, indented below the one it belongs to: code, name, leader, members. */
export function departments(table: string): Department[] {
  const above: string[] = []
  const lines = table.split('\n').filter((line) => line.trim())
  const margin = lines[0]!.search(/\S/)
  return lines.map((line) => {
    const depth = (line.search(/\S/) - margin) / 2
    const [code, name, leader, members = ''] = line.trim().split(/\s{2,}/) as [string, string, string, string?]
    above[depth] = code
    return { code, name, parent: above[depth - 1] ?? null, leader, members: members.split(' ').filter(Boolean) }
  })
}

/** In the first hour of the story the administrator draws the tree and puts everybody into it. */
export function tellDepartments({ code: company, administrator: by, departments }: Company): Step[] {
  let at = 5
  const tick = () => (at += 0.1)
  return departments.flatMap(({ code: department, name, parent, leader, members }, sort) => [
    { company, at: tick(), by, does: 'create department' as const, department, name, parent, leader, sort },
    ...members.map((member) => ({ company, at: tick(), by, does: 'join department' as const, department, member })),
  ])
}

/** The department whose leader decides what this person asks for: their own, or where they lead it the one above, if any. */
export function departmentFor(departments: Department[], username: string): Department {
  const own = departments.find(({ leader, members }) => leader === username || members.includes(username))!
  if (own.leader !== username) return own
  return departments.find(({ code }) => code === own.parent) ?? own
}
