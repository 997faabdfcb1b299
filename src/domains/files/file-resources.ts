import {
  type Activity,
  type Builder,
  type Column,
  type Fault,
  type From,
  ports,
  type ResourceType,
  type Tx,
  type User,
} from '#atrium'

/**
 * A kind of thing that files belong to. Its domain provides it with the rule that it has already: who sees the thing
 * sees its files. `Sees` is what that domain's `…SeenBy` returns.
 */
export interface FileResource<Sees extends object> {
  /** its name in `resourceType` */
  readonly type: ResourceType
  /** the column of its ids in `visible`: `tasks.id` */
  readonly id: Column
  readonly notFound: () => Fault
  /** how its state can refuse a change, for the document */
  readonly refuses?: readonly (() => Fault)[]
  /** what a person sees of the kind; undefined if nothing */
  seenBy(user: Viewer): Sees | undefined
  /** the rows that are seen: a part that the domain lends */
  visible(from: From, sees: Sees): Builder<any>
  /** the rows that the public sees, if it sees any: also a part that is lent */
  visibleToPublic?(from: From): Builder<any>
  /**
   * Decides whether the state of the thing allows that a file is attached or detached.
   * @returns its line of history; and whether the file is public while the thing is, because the actor may write what the
   * public reads
   * @throws the fault of a thing that is not seen
   */
  change(tx: Tx, id: number, sees: Sees, change: FileChange): Promise<{ history: Activity; goesPublic?: boolean }>
}

/** A person, as needed to decide what they see. */
export type Viewer = Pick<User, 'id' | 'isAdministrator' | 'permissions'>

/** What the history of the thing shows: the name that people know the file by, as the new value or the old one. */
export type FileChange = { action: 'FILE_ATTACHED'; newValue: string } | { action: 'FILE_DETACHED'; oldValue: string }

export const fileResources = ports<FileResource<any>>('kinds of things that files belong to')

export function resourceOfType(type: string): FileResource<any> | undefined {
  return fileResources.all().find((resource) => resource.type === type)
}
