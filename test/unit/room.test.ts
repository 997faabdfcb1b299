import { expect, test } from 'vitest'
import { openRoom } from '../../src/util/shares/room.ts'

/** Takes as much as there is. @returns how much */
function fill(room: ReturnType<typeof openRoom>, who: number): number {
  while (room.take(who));
  return room.heldBy(who)
}

test('who takes all they can has at most half, and a second and a third still get some', () => {
  for (let most = 4; most < 100; most++) {
    const room = openRoom(most)
    expect(fill(room, 1)).toBe(Math.floor(most / 2))
    expect(fill(room, 2)).toBeGreaterThan(0)
    expect(fill(room, 3)).toBeGreaterThan(0)
  }
})

test('all get the same as places come back', () => {
  const room = openRoom(90)
  expect([fill(room, 1), fill(room, 2)]).toEqual([45, 22])
  for (let time = 0; time < 200; time++)
    for (const who of [1, 2]) {
      room.giveBack(who)
      fill(room, who)
    }
  expect(Math.abs(room.heldBy(1) - room.heldBy(2))).toBeLessThanOrEqual(2)
})

test('several places are taken together or not at all, and one that was given back is free', () => {
  const room = openRoom(8)
  expect(room.take(1, 5)).toBe(false)
  expect(room.take(1, 4)).toBe(true)
  expect([room.free, room.left(1), room.left(2)]).toEqual([4, 0, 2])
  room.giveBack(1, 4)
  expect([room.free, room.heldBy(1)]).toEqual([8, 0])
})
