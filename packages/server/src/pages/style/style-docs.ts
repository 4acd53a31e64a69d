/** The styles of the API reference. */
export const docsStyle = `@layer pages {
  .docs-list { display: grid; gap: calc(5 * var(--space)); grid-template-columns: minmax(0, 1fr); align-content: start; }
  .operation { display: grid; gap: calc(5 * var(--space)); grid-template-columns: minmax(0, 1fr); align-items: start; }
  .operations { display: grid; gap: calc(2 * var(--space)); }
  .operations li, .method-path { display: flex; flex-wrap: wrap; gap: var(--space) calc(3 * var(--space)); align-items: baseline; }
  .operations li > .quiet { font-size: 14px; }
  .method { flex: none; min-width: 76px; padding-inline: calc(1.5 * var(--space)); border: 1px solid; border-radius: var(--radius); font: 650 13px/1.6 var(--mono); text-align: center; }
  .method.get { color: var(--accent); }
  .method.post { color: var(--done); background: var(--done-ground); }
  .method:is(.put, .patch) { color: var(--busy); background: var(--busy-ground); }
  .method.delete { color: var(--failed); background: var(--failed-ground); }
  .method.message { color: var(--text-quiet); }
  .answer + .answer { padding-block-start: calc(4 * var(--space)); border-block-start: 1px solid var(--line); }
  .status { font-family: var(--mono); }
  .status.good { color: var(--done); }
  td.type { white-space: normal; }
  .schema-names { display: grid; gap: var(--space) calc(4 * var(--space)); grid-template-columns: repeat(auto-fill, minmax(min(100%, 220px), 1fr)); }
  .code { margin: 0; padding: calc(3 * var(--space)); background: var(--ground); border: 1px solid var(--line); border-radius: var(--radius); white-space: pre-wrap; overflow-wrap: anywhere; font-size: 14px; }
  details > .code { margin-block-start: calc(2 * var(--space)); }
  .samples { display: flex; flex-wrap: wrap; gap: calc(2 * var(--space)); margin: 0; }
  .samples label { min-height: 32px; padding: var(--space) calc(3 * var(--space)); border: 1px solid var(--line-strong); border-radius: var(--radius); font-size: 14px; font-weight: 600; cursor: pointer; }
  .samples input { position: absolute; opacity: 0; }
  .samples input:checked + label { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
  .samples input:focus-visible + label { outline: 3px solid var(--accent); outline-offset: 2px; }
  .sample { display: grid; order: 1; gap: calc(3 * var(--space)); grid-template-columns: minmax(0, 1fr); flex: 0 0 100%; justify-items: start; }
  .sample .code { justify-self: stretch; }
  .samples input:not(:checked) + label + .sample { display: none; }
  .part[id] { scroll-margin-block-start: calc(4 * var(--space)); }
}

@media (width >= 1000px) {
  .operation { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); }
  .operation .samples { position: sticky; inset-block-start: calc(4 * var(--space)); }
}`
