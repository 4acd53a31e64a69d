/** The stylesheet, the scripts and the icon of the pages. */
import { toAsset } from './asset.ts'
import { icon, iconPath } from './icon.ts'
import { scripts } from './script.ts'
import { stylesheet, stylesheetPath } from './style/stylesheet.ts'

const files = [
  { path: stylesheetPath, type: 'text/css; charset=utf-8', text: stylesheet },
  { path: iconPath, type: 'image/svg+xml', text: icon },
  ...[...scripts].map(([path, text]) => ({ path, type: 'text/javascript; charset=utf-8', text })),
]
export const assets = files.map(({ text, ...file }) => toAsset({ ...file, plain: Buffer.from(text) }))
