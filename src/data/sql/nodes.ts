/** A part of a statement, as Kysely builds it. */
export type Node = { kind: string } & Record<string, any>

/** The nodes directly inside a node, or inside some of its parts. */
export function nodesIn(parts: object): Node[] {
  return Object.values(parts).flatMap((part) => {
    if (typeof part !== 'object' || part === null) return []
    return isNode(part) ? [part] : Array.isArray(part) ? nodesIn(part) : []
  })
}

/** A node and all inside it, the outer before the inner. */
export function everyNode(node: Node): Node[] {
  return [node, ...nodesIn(node).flatMap(everyNode)]
}

function isNode(value: object): value is Node {
  return 'kind' in value
}
