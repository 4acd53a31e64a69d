/**
 * Local pages of the running agent: /healthz, /metrics, /status and /status.json.
 * In: the monitor. Out: a server on this machine, and `running.json` in the state folder, where `posrep-agent status`
 * finds it. It only reads. A request for another host name is refused, so that no web page can read it through a name
 * of its own.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ignoreDiskError, isCode, isCreateError } from '@posrep/kernel/disk-errors'
import { replaceFile } from '@posrep/kernel/replace-file'
import { toReason } from '../../errors.ts'
import { isMisdirected } from '../../http/is-misdirected.ts'
import type { StateFolder } from '../connect/state-folder.ts'
import { SettingError } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { findAddress, findText, type Settings } from '../settings/read.ts'
import { toMetrics } from './metrics.ts'
import type { Monitor } from './monitor.ts'
import { statusStyle, toStatusPage } from './status-page.ts'

const defaultPort = 8_095

/** @throws SettingError when `--status` is neither an address nor `off`. */
export function checkStatus(settings: Settings): void {
  if (findText(settings, 'status') !== 'off') findAddress(settings, 'status')
}

export async function startStatusServer(
  settings: Settings,
  monitor: Monitor,
  state: StateFolder,
  output: Output,
): Promise<{ close(): Promise<void> }> {
  const text = findText(settings, 'status')
  if (text === 'off') return { close: async () => {} }
  const { host, port } = findAddress(settings, 'status') ?? { host: '127.0.0.1', port: defaultPort }
  const server = createServer({ requestTimeout: 5_000 }, (request, response) =>
    send(response, answer(request, monitor, host)),
  )
  server.maxConnections = 20
  try {
    // Another agent on this machine may have the default port; then any other is as good.
    await listen(server, port, host).catch((cause) =>
      text === undefined && isCode(cause, 'EADDRINUSE') ? listen(server, 0, host) : Promise.reject(cause),
    )
  } catch (cause) {
    const message = `"--status" cannot listen on ${host}:${port}: ${toReason(cause)}`
    if (text !== undefined) throw new SettingError(message, { cause })
    output.event('no_status', `${message}; running without /status`)
    return { close: async () => {} }
  }
  // A listening server has an address with a port.
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`
  await replaceFile(state.running, JSON.stringify({ pid: process.pid, url })).catch((cause) => {
    if (!isCreateError(cause)) throw cause
    output.event('no_status', `posrep-agent status does not find this agent: ${toReason(cause)}; see ${url}/status`)
  })
  return {
    async close() {
      server.close().closeAllConnections()
      await rm(state.running, { force: true }).catch(ignoreDiskError)
    },
  }
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
}

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(statusStyle).digest('base64')}'`

interface Answer {
  status: number
  type: string
  body: string
}

function answer({ url, method, headers }: IncomingMessage, monitor: Monitor, host: string): Answer {
  if (isMisdirected(host, headers.host)) return text(421, 'ask for localhost')
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'GET only')
  const snapshot = monitor.snapshot()
  const json = (status: number, value: object) => ({
    status,
    type: 'application/json',
    body: `${JSON.stringify(value)}\n`,
  })
  switch (url?.split('?')[0]) {
    case '/healthz':
      return json(snapshot.healthy ? 200 : 503, { healthy: snapshot.healthy })
    case '/metrics':
      return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body: toMetrics(snapshot) }
    case '/status.json':
      return json(200, snapshot)
    case '/':
    case '/status':
      return { status: 200, type: 'text/html; charset=utf-8', body: toStatusPage(snapshot) }
    default:
      return text(404, '/healthz, /metrics, /status or /status.json')
  }
}

function text(status: number, line: string): Answer {
  return { status, type: 'text/plain', body: `${line}\n` }
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
  })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}
