type Combination<Facts extends Record<string, readonly unknown[]>> = { [Name in keyof Facts]: Facts[Name][number] }

/** Every combination of the values of some facts, the last of which changes first: `every({ isOpen: [true, false] })`. */
export function every<const Facts extends Record<string, readonly unknown[]>>(facts: Facts): Combination<Facts>[] {
  return Object.entries(facts).reduce<any[]>(
    (some, [name, values]) => some.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  )
}
