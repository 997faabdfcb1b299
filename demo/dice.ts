import { createHash } from 'node:crypto'

/** Pseudo-random choices, the same on every run. */
export interface Dice {
  between(least: number, most: number): number
  whole(least: number, most: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  /** Like `pick`, but nothing is repeated before everything else has come once. */
  deal<T>(from: readonly T[]): T
  shuffled<T>(list: readonly T[]): T[]
  /** This many moments between two, in order. */
  moments(count: number, least: number, most: number): number[]
}

/**
 * sfc32, seeded with a name, so that what one project draws does not change another. http://pracrand.sourceforge.net
 */
export function diceOf(name: string): Dice {
  const seed = createHash('sha256').update(name).digest()
  let a = seed.readInt32LE(0)
  let b = seed.readInt32LE(4)
  let c = seed.readInt32LE(8)
  let counter = 1
  const decks = new Map<readonly unknown[], unknown[]>()

  function draw(): number {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 2 ** 32
  }

  const dice: Dice = {
    between: (least, most) => least + draw() * (most - least),
    whole: (least, most) => Math.floor(dice.between(least, most + 1)),
    chance: (probability) => draw() < probability,
    pick: (from) => from[Math.floor(draw() * from.length)]!,
    deal<T>(from: readonly T[]): T {
      if (!decks.get(from)?.length) decks.set(from, dice.shuffled(from))
      return decks.get(from)!.pop() as T
    },
    shuffled: (list) =>
      list
        .map((item) => ({ item, rank: draw() }))
        .sort((one, other) => one.rank - other.rank)
        .map(({ item }) => item),
    moments: (count, least, most) =>
      Array.from({ length: count }, () => dice.between(least, most)).sort((one, other) => one - other),
  }
  return dice
}
