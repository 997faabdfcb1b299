/** A state machine as data: for each state, the states it may move to. Terminal states have none. */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>

/** True if the table allows the move. Staying is not a move. */
export function mayMove<State extends string>(table: Transitions<State>, from: State, to: State): boolean {
  return table[from].includes(to)
}

/** True for states without a next state. */
export function isTerminal<State extends string>(table: Transitions<State>, state: State): boolean {
  return table[state].length === 0
}

/** The table in Markdown, for the document. */
export function tableOf<State extends string>(table: Transitions<State>): string {
  const rows = Object.entries<readonly State[]>(table).map(
    ([from, to]) => `| \`${from}\` | ${to.map((state) => `\`${state}\``).join(', ') || 'nothing: it is finished'} |`,
  )
  return ['| Status | can become |', '| --- | --- |', ...rows].join('\n')
}
