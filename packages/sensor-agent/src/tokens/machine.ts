/**
 * Describes the machine, so that an identity that was copied to another one is noticed.
 * In: the machine's serial number, network addresses and installation ID. Out: their hashes. Where the hardware can be
 * told, it decides: a cloned SD card has the same installation ID, and a machine that was installed again has the same
 * hardware.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Hashes, because the values identify the machine also to others. Empty: not known. */
export interface Machine {
  serial: string
  /** Of network cards; addresses that software chose are left out. */
  cards: string[]
  installation: string
}

const serialFiles = ['/proc/device-tree/serial-number', '/sys/class/dmi/id/product_uuid']
const installationFiles = ['/etc/machine-id', '/var/lib/dbus/machine-id']
const cardsFolder = '/sys/class/net'

/** Knows nothing of a machine that is not Linux; its identity is then not bound. */
export async function describeMachine(): Promise<Machine> {
  const [serial, installation, names] = await Promise.all([
    readFirst(serialFiles),
    readFirst(installationFiles),
    readdir(cardsFolder).catch(() => []),
  ])
  const addresses = await Promise.all(names.map((name) => readText(join(cardsFolder, name, 'address'))))
  return { serial: hash(serial), cards: addresses.filter(isOfHardware).map(hash), installation: hash(installation) }
}

/** True also if nothing can be compared. */
export function isSameMachine(one: Machine, other: Machine): boolean {
  if (one.serial && other.serial) return one.serial === other.serial
  if (one.cards.length > 0 && other.cards.length > 0) return one.cards.some((card) => other.cards.includes(card))
  return !one.installation || !other.installation || one.installation === other.installation
}

/** Addresses of containers, bridges and VPNs have the bit of locally chosen addresses. */
function isOfHardware(address: string): boolean {
  const first = Number.parseInt(address.slice(0, 2), 16)
  return /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(address) && (first & 2) === 0 && address !== '00:00:00:00:00:00'
}

async function readFirst(files: readonly string[]): Promise<string> {
  const texts = await Promise.all(files.map(readText))
  return texts.find((text) => text !== '') ?? ''
}

async function readText(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.replaceAll('\0', '').trim().toLowerCase()
}

function hash(text: string): string {
  return text === '' ? '' : createHash('sha256').update(`posrep ${text}`).digest('base64url').slice(0, 22)
}
