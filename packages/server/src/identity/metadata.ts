/** The authorization server metadata (RFC 8414 §2, RFC 9207 §3). It comes from settings, never from a request. */
import type { AuthorizationServerMetadata } from '@posrep/spec'

export function toMetadata(authOrigin: string): AuthorizationServerMetadata {
  const clientAuthentication = ['client_secret_post', 'client_secret_basic', 'none']
  return {
    issuer: authOrigin,
    authorization_endpoint: `${authOrigin}/oauth/v2/authorize`,
    token_endpoint: `${authOrigin}/oauth/v2/token`,
    revocation_endpoint: `${authOrigin}/oauth/v2/revoke`,
    end_session_endpoint: `${authOrigin}/oauth/v2/sign-out`,
    jwks_uri: `${authOrigin}/oauth/v2/jwks`,
    scopes_supported: ['surveillance_api'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}
