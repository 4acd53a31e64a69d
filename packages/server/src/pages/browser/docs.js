// @ts-check
/** Shows the API reference in the element `api-reference`, from the document of this server. */
const { SwaggerUIBundle } = /** @type {any} */ (globalThis)

const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
follow()
dark.addEventListener('change', follow)

const reference = await (await fetch('/openapi.json')).json()
// The names of the specification's variables, such as `{auth_url}`, are for readers of the document.
for (const { servers = [] } of [reference, ...Object.values(reference.paths)]) {
  for (const server of servers) server.description = server.description?.replace(/, `.*`$/, '')
}

// Swagger UI does not name the choice of a server.
new MutationObserver(() => document.getElementById('servers')?.setAttribute('aria-label', 'Server')).observe(
  /** @type {Element} */ (document.getElementById('api-reference')),
  { childList: true, subtree: true },
)

SwaggerUIBundle({
  spec: reference,
  dom_id: '#api-reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  // It shows and does not call: calls need tokens, which do not belong into a page.
  supportedSubmitMethods: [],
  validatorUrl: null,
})
