/**
 * `posrep-agent install-service`: a systemd unit that runs the agent with few rights.
 * In: the settings file. Out: the unit in /etc/systemd/system, or on standard output with `--print`.
 */
import { resolve } from 'node:path'
import { isSea } from 'node:sea'
import { replaceFile } from '@posrep/kernel/replace-file'
import { toReason } from '../../errors.ts'
import type { CommandDefinition } from '../command.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { optionsOf } from '../settings/options.ts'
import { findText, isSet } from '../settings/read.ts'

const unitFile = '/etc/systemd/system/posrep-agent.service'

export const installServiceCommand: CommandDefinition = {
  name: 'install-service',
  description: 'write a systemd unit that runs the agent with the --config file',
  options: optionsOf.installService,
  async run({ settings, output }) {
    const config = resolve(findText(settings, 'config') ?? '/etc/posrep-agent/config.json')
    const unit = toUnit(toCommand(config))
    const hidden = [process.execPath, ...toScript(), config].filter(isInHome)
    if (hidden.length > 0) {
      const message = `${hidden.join(' and ')}: below a home folder, which the service does not see (ProtectHome); put it elsewhere, such as /opt and /etc, and run this command from there`
      output.event('warning', message, { hidden })
    }
    if (isSet(settings, 'print')) {
      output.result(unit.trimEnd(), { file: unitFile, unit })
      return exitCodes.ok
    }
    try {
      await replaceFile(unitFile, unit, { mode: 0o644 })
    } catch (cause) {
      const message = `"${unitFile}" cannot be written: ${toReason(cause)}; run it as root, or use --print`
      throw new CommandError('not_installed', message, exitCodes.storage, { cause })
    }
    output.result(`wrote ${unitFile}; next: systemctl daemon-reload && systemctl enable --now posrep-agent`, {
      file: unitFile,
    })
    return exitCodes.ok
  },
}

/** The folders that `ProtectHome=yes` hides. */
export function isInHome(path: string): boolean {
  return /^\/(?:home|root|run\/user)\//.test(path)
}

function toScript(): string[] {
  return isSea() ? [] : [resolve(process.argv[1] ?? '')]
}

/** The single executable is its own program; otherwise Node runs the script. */
function toCommand(config: string): string {
  return [process.execPath, ...toScript(), 'run', '--config', config].map(quote).join(' ')
}

/** systemd expands `%` and `$`, and splits at spaces. */
function quote(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')
  return /[\s"'\\;]/.test(text) ? `"${escaped}"` : escaped
}

function toUnit(command: string): string {
  return `[Unit]
Description=Posrep sensor agent
Documentation=https://github.com/posrep/posrep
After=network-online.target time-sync.target
Wants=network-online.target

[Service]
Type=exec
ExecStart=${command}
# The agent needs little memory; these keep Node and the C library from taking more in advance.
Environment="NODE_OPTIONS=--max-semi-space-size=1 --v8-pool-size=1"
Environment=MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=131072
# Secrets as POSREP_AGENT_… variables; the file may be missing.
EnvironmentFile=-/etc/posrep-agent/environment
Restart=always
RestartSec=5
# Wrong settings and a refused identity need a person.
RestartPreventExitStatus=${exitCodes.usage} ${exitCodes.identity}
# Ten seconds for the spool, and some more.
TimeoutStopSec=20

DynamicUser=yes
StateDirectory=posrep-agent
StateDirectoryMode=0700
UMask=0077
MemoryMax=256M
TasksMax=64

AmbientCapabilities=
CapabilityBoundingSet=
LockPersonality=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
ProcSubset=pid
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources

[Install]
WantedBy=multi-user.target
`
}
