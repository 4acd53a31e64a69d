/**
 * docs/redis-cluster/compose.yaml without containers: its commands run as processes of this machine, on other ports,
 * and a proxy gives requests to the servers of nginx.conf in turn.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { aReportText, aSensor } from '../parts/a-sensor.ts'
import { redisBinary } from '../parts/redis-process.ts'
import { testWith } from '../parts/requirements.ts'
import { seed } from '../parts/seed.ts'
import { aServerLocation, ownProgram, runToEnd, type ServerLocation } from '../parts/server-process.ts'

const folder = join(import.meta.dirname, '../../docs/redis-cluster')
const compose = await readFile(join(folder, 'compose.yaml'), 'utf8')
const nginx = await readFile(join(folder, 'nginx.conf'), 'utf8')
const password = 'hush-hush'
const origin = 'https://positions.example.com'
const betweenStartsMs = 500

/** What stands below a key of the file, or below a service. */
function section(name: string): string {
  const found =
    new RegExp(`^${name}:.*\\n((?: +.*\\n|\\n)*)`, 'm').exec(compose) ??
    new RegExp(`^  ${name}:.*\\n((?: {3,}.*\\n|\\n)*)`, 'm').exec(compose)
  if (!found) throw new Error(`compose.yaml has no "${name}"`)
  return found[1] ?? ''
}

/** Lists of the file are JSON, but for a comma at their end. */
function commandOf(name: string): string[] {
  const [, list = '[]'] = /^ +command:\s*(\[[\s\S]*?\])$/m.exec(section(name)) ?? []
  return JSON.parse(list.replace(/,\s*\]$/, ']'))
}

const services = [...section('services').matchAll(/^ {2}([a-z0-9-]+):$/gm)].map(([, name = '']) => name)
const nodes = services.filter((name) => name.startsWith('redis-'))
const servers = services.filter((name) => name.startsWith('server-'))

test('the compose file has six nodes and three servers, and names no service or volume that it does not have', () => {
  expect([nodes.length, servers.length, services.length]).toEqual([6, 3, 11])
  const waitedFor = [...compose.matchAll(/([a-z0-9-]+): \{ condition:/g)].map(([, name = '']) => name)
  const mounted = [...compose.matchAll(/volumes: \[([a-z0-9-]+):/g)].map(([, name = '']) => name)
  const connected = [...compose.matchAll(/(?:@|,)(redis-\d):6379/g)].map(([, name = '']) => name)
  const balanced = [...nginx.matchAll(/^ +server ([a-z0-9-]+):8080;$/gm)].map(([, name = '']) => name)

  expect(new Set(waitedFor)).toEqual(new Set(services.filter((name) => name !== 'proxy')))
  expect(mounted).toEqual([...section('volumes').matchAll(/^ {2}([a-z0-9-]+):/gm)].map(([, name]) => name))
  expect(connected.length).toBeGreaterThan(1)
  expect(nodes).toEqual(expect.arrayContaining(connected))
  expect(balanced).toEqual(servers)
  expect(compose).not.toMatch(/\t| $/m)
})

testWith('redis-server', 'the compose file of a cluster')(
  'the commands of the compose file make a service that a check finds nothing wrong with, and that accepts reports',
  async () => {
    const locations = await Promise.all(
      [...nodes, ...nodes, ...servers].map((_, n) => aServerLocation(n < 12 ? {} : seed)),
    )
    for (const { remove } of locations) onTestFinished(remove)
    const nodesAt = locations.slice(0, 6)
    const busAt = locations.slice(6, 12)
    const serversAt = locations.slice(12)
    /** Addresses of this machine instead of those of the containers. */
    const here = (text: string) =>
      text
        .replaceAll(/-h 10\.89\.0\.1(\d) /g, (_, n) => `-h 127.0.0.1 -p ${nodesAt[Number(n) - 1]?.port} `)
        .replaceAll(/10\.89\.0\.1(\d):6379/g, (_, n) => `127.0.0.1:${nodesAt[Number(n) - 1]?.port}`)
        .replaceAll(/redis-(\d):6379/g, (_, n) => `127.0.0.1:${nodesAt[Number(n) - 1]?.port}`)
        .replaceAll(/\$\{REDIS_PASSWORD:\?\}/g, password)
        .replaceAll(/\$\{ORIGIN:\?\}/g, origin)

    const [, ...node] = commandOf('x-node').map(here)
    for (const [n, { port, folder }] of nodesAt.entries()) {
      const own = ['--port', port, '--cluster-port', busAt[n]?.port, '--bind', '127.0.0.1', '--dir', folder].map(String)
      start(redisBinary, [...node, ...own])
    }
    const [shell = '', ...create] = commandOf('create').map(here)
    const environment = { ...process.env, REDISCLI_AUTH: password }
    const isMade = () => spawnSync(shell, create, { env: environment }).status === 0
    await until('the cluster is made', async () => isMade())
    // As at the next start of the containers.
    expect(isMade()).toBe(true)

    const variables = Object.fromEntries(
      [...section('x-server').matchAll(/^ +(POSREP_\w+): "(.*)"$/gm)].map(([, name = '', value = '']) => [
        name,
        here(value),
      ]),
    )
    const [, , , ...flags] = commandOf('x-server')
    await until('replicas confirm', async () => (await check(flags, variables)).code === 0)
    for (const location of serversAt) {
      const own = ['--port', String(location.port), '--host', '127.0.0.1', '--data-dir', join(location.folder, 'data')]
      start(ownProgram, [...flags, ...own, '--seed', join(location.folder, 'seed.json')], variables)
    }
    for (const { port } of serversAt) await until('a server is ready', () => isReady(port))

    const sensor = await aSensor({ origin: await aProxy(serversAt), ca: '' })
    onTestFinished(() => sensor.close())
    for (let n = 1; n <= 6; n++) expect((await sensor.submit(aReportText(`roof1:${n}`))).status).toBe(202)
  },
)

/** `posrep-server redis check`, with those flags of the server that it takes. */
function check(flags: string[], variables: Record<string, string>) {
  const replicas = flags.slice(flags.indexOf('--redis-replicas'), flags.indexOf('--redis-replicas') + 2)
  return runToEnd(['redis', 'check', ...replicas], { POSREP_REDIS: variables.POSREP_REDIS ?? '' })
}

/**
 * Starts it again when it ends, as `restart: unless-stopped` does: a server ends if Redis does not answer its start.
 */
function start(program: string, args: string[], environment: Record<string, string> = {}): void {
  let isStopped = false
  let child = run()
  onTestFinished(async () => {
    isStopped = true
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })

  function run(): ChildProcess {
    const started = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...environment } })
    started.once('exit', async () => {
      await sleep(betweenStartsMs)
      if (!isStopped) child = run()
    })
    return started
  }
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
  return answer?.ok === true
}

/** Gives each request to the next server. Returns its origin. */
async function aProxy(servers: ServerLocation[]): Promise<string> {
  let turn = 0
  const proxy = http.createServer((request, response) => {
    const { url, method, headers } = request
    const port = servers[turn++ % servers.length]?.port
    const forwarded = { ...headers, 'x-forwarded-for': '203.0.113.7' }
    const onward = http.request({ port, host: '127.0.0.1', path: url, method, headers: forwarded }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
  })
  onTestFinished(() => void proxy.close())
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  // A TCP server's address is an AddressInfo.
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}
