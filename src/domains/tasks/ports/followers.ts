import { ports, type Tx } from '#atrium'
import type { Task } from '../tasks.schemas.ts'

/** What happened to a task in a command, for those who follow it. */
export interface TaskNews {
  task: Pick<Task, 'id' | 'title'>
  what: readonly ('comment' | 'status' | 'assigneeId' | 'dueDate' | 'deletion')[]
  /** who gets a notification of it by the same command anyway */
  told: readonly number[]
}

/** Who follows tasks, beside those who are responsible for them. */
export interface TaskFollowers {
  /** Reads who follows tasks, before a command changes them. The result tells them, when the change is queued. */
  read(tx: Tx, p: { taskIds: readonly number[] }): Promise<(news: readonly TaskNews[]) => void>
}
export const taskFollowers = ports<TaskFollowers>('who follows tasks')

/** Reads who follows tasks. @returns what tells them, each task once */
export async function readFollowers(tx: Tx, taskIds: readonly number[]): Promise<(news: readonly TaskNews[]) => void> {
  const tell = await Promise.all(taskFollowers.all().map((followers) => followers.read(tx, { taskIds })))
  return (news) => {
    for (const each of tell) each(news)
  }
}
