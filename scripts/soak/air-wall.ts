/**
 * `pnpm soak --air-wall MINUTES`: the page of the air picture with 2,000 moving targets in Chromium without a GPU.
 * Prints frames a second as the page gets them, still and while the map is moved, the time that a frame of ours takes,
 * and how the memory of the page grows. In: minutes. Out: false if memory grew by more than a fifth after the first
 * minute.
 */
import { anAirPortal, enterPortal } from '../../e2e/air/air-portal.ts'
import { aMovingPicture } from '../../e2e/air/moving-picture.ts'
import { launchChromium } from '../../e2e/pages/chromium.ts'

type Page = Parameters<typeof enterPortal>[0]
type Devtools = Awaited<ReturnType<ReturnType<Page['context']>['newCDPSession']>>

const targets = 2_000
const maxGrowth = 1.2
const sampleSeconds = 60

export async function soakAirWallAndPrint(minutes: number): Promise<boolean> {
  const picture = aMovingPicture(targets)
  const portal = await anAirPortal(picture)
  const browser = await launchChromium()
  try {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1_440, height: 900 } })
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await page.addInitScript(timeFrames)
    await enterPortal(page, `${portal.origin}/air`)
    await page.getByText('2,000 targets').waitFor()
    await print(page, 'moved', 20, true)
    await print(page, 'still', sampleSeconds, false)
    const first = await heapBytes(devtools)
    let last = first
    for (let minute = 1; minute < minutes; minute++) {
      await print(page, `still, minute ${minute + 1}`, sampleSeconds, false)
      last = await heapBytes(devtools)
      process.stdout.write(`  memory of scripts ${toMb(last)} MB\n`)
    }
    process.stdout.write(`memory of scripts: ${toMb(first)} MB after a minute, ${toMb(last)} MB at the end\n`)
    return last <= first * maxGrowth
  } finally {
    await browser.close()
    picture.stop()
    await portal.stop()
  }
}

/** In the page: keeps how long each of its own frames takes. */
function timeFrames(): void {
  const page = globalThis as unknown as { frameTimes: number[]; ownFrame: typeof requestAnimationFrame }
  page.frameTimes = []
  page.ownFrame = requestAnimationFrame.bind(globalThis)
  globalThis.requestAnimationFrame = (callback) =>
    page.ownFrame((time) => {
      const startedAt = performance.now()
      callback(time)
      page.frameTimes.push(performance.now() - startedAt)
    })
}

async function print(page: Page, name: string, seconds: number, isMoved: boolean): Promise<void> {
  const { frames, ours, median, p99 } = await page.evaluate(measure, { seconds, isMoved })
  process.stdout.write(
    `${name}: ${(frames / seconds).toFixed(1)} frames a second, ${(ours / seconds).toFixed(1)} of ours; ` +
      `a frame of ours takes ${median.toFixed(1)} ms (median), ${p99.toFixed(1)} ms (99 %)\n`,
  )
}

/** In the page. */
async function measure({ seconds, isMoved }: { seconds: number; isMoved: boolean }) {
  const page = globalThis as unknown as { frameTimes: number[]; ownFrame: typeof requestAnimationFrame }
  const canvas = document.querySelector('canvas')
  page.frameTimes.length = 0
  const startedAt = performance.now()
  let frames = 0
  await new Promise<void>((resolve) => {
    const next = () => {
      const passed = performance.now() - startedAt
      if (passed > seconds * 1_000) return resolve()
      frames++
      if (isMoved) {
        const wheel = {
          deltaY: Math.sin(passed / 700) * 12,
          clientX: 700,
          clientY: 450,
          bubbles: true,
          cancelable: true,
        }
        canvas?.dispatchEvent(new WheelEvent('wheel', wheel))
      }
      page.ownFrame(next)
    }
    page.ownFrame(next)
  })
  const times = page.frameTimes.toSorted((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { frames, ours: times.length, median: at(0.5), p99: at(0.99) }
}

/** After a collection of garbage. */
async function heapBytes(devtools: Devtools): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  return usedSize
}

function toMb(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
