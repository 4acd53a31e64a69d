/** Of libsodium, what is used here; the package brings no types. */
declare module 'sodium-native' {
  interface Sodium {
    readonly crypto_sign_BYTES: number
    /** @param secret the 32 bytes of the private key, then those of the public one */
    crypto_sign_detached(signature: Uint8Array, text: Uint8Array, secret: Uint8Array): void
  }
  const sodium: Sodium
  export default sodium
}
