/** Messages between all replicas. Nothing is kept for one that is away. */
export interface Channel {
  /** Fire and forget. The sender may or may not receive its own message. */
  send(text: string): void
  /** Whether messages of every other replica arrive now. */
  isOpen(): boolean
  close(): void
}
