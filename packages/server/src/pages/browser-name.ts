/** Turns a User-Agent header into words such as "Firefox on Windows". An unknown one is returned as sent, shortened. */

const browsers: [RegExp, string][] = [
  [/\bEdgA?\/|\bEdge\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bVersion\/[\d.]+(?: Mobile\/\w+)? Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]
const maxLength = 60

export function toBrowserName(userAgent: string): string {
  if (userAgent === '') return 'Unknown browser'
  const browser = findName(browsers, userAgent)
  const system = findName(systems, userAgent)
  if (browser === undefined) return userAgent.length > maxLength ? `${userAgent.slice(0, maxLength)}…` : userAgent
  return system === undefined ? browser : `${browser} on ${system}`
}

function findName(names: [RegExp, string][], userAgent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1]
}
