/** Waits for a condition that depends on other processes: checks it every 20 ms, for at most `withinMs`. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>, withinMs = 30_000): Promise<void> {
  const endMs = performance.now() + withinMs
  while (!(await isTrue())) {
    if (performance.now() > endMs) throw new Error(`Timed out after ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
