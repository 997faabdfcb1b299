/** What all replicas say to each other. Nothing is kept for one that is away. */
export interface Channel {
  /** Fire and forget. Whether the sender hears itself is left open. */
  send(text: string): void
  /** Whether messages of every other replica arrive at this moment. */
  isOpen(): boolean
  close(): void
}
