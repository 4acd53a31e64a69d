/** Obtains tokens of each kind as their holders do, and checks whether they are still valid. */
import { ApiError } from '../../src/errors.ts'
import { aBrowser, authorizationRequest, serve } from './a-browser.ts'
import {
  deviceTokenRequest,
  fleetCredentials,
  mapViewCredentials,
  type TestIdentity,
  type TestProcess,
} from './an-identity.ts'

export interface IssuedTokens {
  audience: 'user' | 'device'
  accessToken: string
  refreshToken: string
  /** The other fields that the holder sends to refresh. */
  credentials: Record<string, string>
}

export async function aCode(process: TestProcess, parameters: Record<string, string> = {}): Promise<string> {
  const callback = await aBrowser(await serve(process)).approve(parameters)
  return callback.searchParams.get('code') ?? ''
}

export function codeRequest(code: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  const { redirect_uri } = authorizationRequest
  return { grant_type: 'authorization_code', code, redirect_uri, ...mapViewCredentials, ...fields }
}

export async function userTokens(process: TestProcess): Promise<IssuedTokens> {
  const { body } = await process.token(codeRequest(await aCode(process)))
  return toTokens('user', body, mapViewCredentials)
}

export async function deviceTokens(process: TestProcess): Promise<IssuedTokens> {
  return toTokens('device', (await process.token(deviceTokenRequest)).body, fleetCredentials)
}

export async function pairedTokens({ roof, issueDeviceTokens }: TestIdentity): Promise<IssuedTokens> {
  const { accessToken, refreshToken } = await issueDeviceTokens(roof)
  return { audience: 'device', accessToken, refreshToken, credentials: { client_id: 'fleet' } }
}

/** Returns `valid` or the code of the refusal. */
export async function stateOf(
  process: TestProcess,
  { accessToken, audience }: Pick<IssuedTokens, 'accessToken' | 'audience'>,
): Promise<string> {
  try {
    await process.verifyAccessToken(accessToken, audience)
    return 'valid'
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}

export function refreshOf(process: TestProcess, { refreshToken, credentials }: IssuedTokens) {
  return process.refresh(refreshToken, credentials)
}

function toTokens(
  audience: 'user' | 'device',
  { access_token: accessToken = '', refresh_token: refreshToken = '' }: Record<string, string>,
  credentials: Record<string, string>,
): IssuedTokens {
  return { audience, accessToken, refreshToken, credentials }
}
