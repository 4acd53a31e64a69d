/** Out: the path of the system's Chromium; undefined if none is installed. */
import { accessSync, constants } from 'node:fs'

export function findChromium(): string | undefined {
  return ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    // Not executable here: the next path is tried.
    return false
  }
}
