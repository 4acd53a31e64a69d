/** Describes scopes in words. A client may have other scopes; those are shown by name. */

const words: Record<string, string> = {
  surveillance_api:
    'See your devices and their position reports, your name and account, switch the storage of reports on or off, and set where reports are relayed to.',
}

export function ScopeList({ scopes }: { scopes: string[] }) {
  return (
    <ul class="scopes">
      {scopes.map((scope) => (
        <li key={scope}>
          {Object.hasOwn(words, scope) ? (
            words[scope]
          ) : (
            <>
              Use <code>{scope}</code>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
