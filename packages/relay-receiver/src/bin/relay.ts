#!/usr/bin/env node
/**
 * posrep-relay: relay messages on the command line.
 * In: arguments. Out: results on standard output, errors on standard error; exit code 0, 1 (not accepted) or 2 (wrong
 * arguments).
 */
import { ensureCertainEnd } from '@posrep/kernel/certain-end'
import { helpEnd, shapeHelp } from '@posrep/kernel/help'
import { toVisible } from '@posrep/kernel/visible'
import { Argument, Command, CommanderError } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { type ListenOptions, listen } from './listen.ts'
import { SettingError } from './settings.ts'
import { type TriggerOptions, trigger } from './trigger.ts'
import { type VerifyFileOptions, verifyFile } from './verify-file.ts'

ensureCertainEnd()

const examples = {
  listen: 'posrep-relay listen --forward-to http://localhost:8080/position-reports',
  trigger: 'posrep-relay trigger position_report http://localhost:8080/position-reports',
  verify: 'posrep-relay verify message.txt --from https://localhost:8443',
}

const program = shapeHelp(new Command('posrep-relay'))
  .description('Forward relay messages to a local receiver, send test messages, and verify captured ones.')
  .version(manifest.version)
  .addHelpText('after', helpEnd({ examples: [examples.listen, examples.trigger] }))
  .exitOverride()

program
  .command('listen')
  .description('be the HTTPS address of a relay: forwards each message to a local receiver and shows it')
  .requiredOption('--forward-to <url>', 'address of the receiver, such as http://localhost:8080/position-reports')
  .option('--host <host>', 'address to listen on', '127.0.0.1')
  .option('--port <port>', 'port to listen on; 0 selects a free one', '8444')
  .option('--tls-cert <file>', 'PEM certificate (default: one is generated)')
  .option('--tls-key <file>', 'PEM private key of the certificate')
  .option('--name <name>', 'host name of the generated certificate', 'localhost')
  .option('--cert-dir <dir>', 'directory of the generated certificate', '.posrep-relay')
  .option('--from <issuer>', 'issuer of the service, {auth_url}: shows whether signatures are valid')
  .option('--ca <file>', "PEM file of a private CA of the issuer's certificate")
  .option('--save <dir>', 'also write each message to a file in this directory, for "verify"')
  .addHelpText('after', helpEnd({ examples: [examples.listen] }))
  .action((options: ListenOptions) => listen(options))

program
  .command('trigger')
  .description('send a signed test message to a receiver')
  .addArgument(new Argument('<message>').choices(['validate', 'position_report']))
  .argument('<url>', 'address of the receiver')
  .option('--device <urn>', 'device that the message is for', 'urn:aa:device:acme:roof1')
  .option(
    '--key <file>',
    'key that signs, created at first use; the receiver gets <file>.public.json as "from" (default: a new key)',
  )
  .option('--report <file>', 'JSON file of the report (default: one position, now)')
  .option('--ca <file>', "PEM file of a private CA of the receiver's certificate")
  .addHelpText('after', helpEnd({ examples: [examples.trigger] }))
  .action(async (message: 'validate' | 'position_report', url: string, options: TriggerOptions) => {
    process.exitCode = (await trigger(message, url, options)) ? 0 : 1
  })

program
  .command('verify')
  .description('check a captured message: header lines, an empty line, and the body byte for byte')
  .argument('<file>', 'the message')
  .option('--from <issuer>', 'issuer of the service, {auth_url}')
  .option('--keys <file>', 'key set of the service, instead of --from')
  .option('--ca <file>', "PEM file of a private CA of the issuer's certificate")
  .addHelpText('after', helpEnd({ examples: [examples.verify] }))
  .action(async (file: string, options: VerifyFileOptions) => {
    process.exitCode = (await verifyFile(file, options)) ? 0 : 1
  })

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2)
  if (!(error instanceof SettingError)) throw error
  process.stderr.write(`posrep-relay: ${toVisible(error.message)}\n`)
  process.exit(2)
}
