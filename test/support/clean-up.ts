type Duty = () => unknown
const duties = new Set<Duty>()

/** Test files share their process: `duty` is called after each of them, whether its tests passed or not. */
export function afterEachFile(duty: Duty): void {
  duties.add(duty)
}

/** Calls all duties, the newest first. */
export async function cleanUp(): Promise<void> {
  for (const duty of [...duties].reverse()) await duty()
}
