/** What one process does when the other asks; both know the names. */
export type Answers = Readonly<Record<string, (asked: any) => unknown>>

/** The two ends of a pipe between processes: each asks, and answers the other. */
export interface Talk {
  /** Undefined if the other process has not answered within `patience` ms, cannot, or is gone. */
  ask<T>(what: string, asked: unknown, patience: number): Promise<T | undefined>
  /** Without an answer. */
  tell(what: string, told: unknown): void
  /** Handles a message from the other process. */
  receive(message: unknown): void
}

interface Letter {
  talk: 'question' | 'answer'
  what: string
  /** of the question; absent if no answer is wanted */
  id?: number | undefined
  content: unknown
}

/** @param send passes a message to the other process; it is lost if that process is gone */
export function openTalk(send: (message: Letter) => void, answers: Answers): Talk {
  const waiting = new Map<number, (content: unknown) => void>()
  let last = 0

  async function answer({ what, id, content }: Letter) {
    const answered = await Promise.resolve(content)
      .then(answers[what])
      .catch(() => undefined)
    if (id !== undefined) send({ talk: 'answer', what, id, content: answered })
  }

  return {
    ask<T>(what: string, asked: unknown, patience: number) {
      const id = ++last
      return new Promise<T | undefined>((resolve) => {
        const late = setTimeout(() => settle(undefined), patience)
        const settle = (content: unknown) => {
          clearTimeout(late)
          waiting.delete(id)
          resolve(content as T | undefined)
        }
        waiting.set(id, settle)
        send({ talk: 'question', what, id, content: asked })
      })
    },
    tell: (what, told) => send({ talk: 'question', what, content: told }),
    receive(message) {
      const letter = message as Partial<Letter> | null
      if (letter?.talk === 'question') void answer(letter as Letter)
      else if (letter?.talk === 'answer') waiting.get(letter.id!)?.(letter.content)
    },
  }
}
