import { expect, test } from 'vitest'
import { isInHome } from '../../src/bin/commands/install-service.ts'

test.each([
  ['/home/pi/.nvm/versions/node/bin/node', true],
  ['/root/agent/config.json', true],
  ['/run/user/1000/config.json', true],
  ['/etc/posrep-agent/config.json', false],
  ['/opt/home/posrep-agent', false],
  ['/homes/posrep-agent', false],
])('ProtectHome hides %s from the service: %j', (path, isHidden) => {
  expect(isInHome(path)).toBe(isHidden)
})
