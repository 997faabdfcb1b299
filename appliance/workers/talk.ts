/** What one process does when the other asks; the names are what both know. */
export type Answers = Readonly<Record<string, (asked: any) => unknown>>

/** The two ends of a pipe between processes: each asks, and answers what the other asks. */
export interface Talk {
  /** Undefined when the other has not answered within so many ms, cannot, or is gone. */
  ask<T>(what: string, asked: unknown, patience: number): Promise<T | undefined>
  /** Without an answer. */
  tell(what: string, told: unknown): void
  /** Takes what the other has sent. */
  receive(message: unknown): void
}

interface Letter {
  talk: 'question' | 'answer'
  what: string
  /** of the question; absent where no answer is wanted */
  id?: number | undefined
  content: unknown
}

/** @param send hands a message to the other process; one that is gone loses it */
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
