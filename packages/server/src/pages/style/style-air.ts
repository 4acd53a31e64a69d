/**
 * The styles of the air picture: the map that fills the screen, its floating panels, and the small map on other pages.
 */
export const airTokens = `@layer tokens {
  :root {
    --map-text: var(--text);
    --map-text-quiet: var(--text-quiet);
    --map-accent: var(--accent);
    --map-alert: var(--failed);
    --panel-ground: light-dark(rgb(255 255 255 / 94%), rgb(24 32 39 / 93%));
  }
}`

export const airStyle = `@layer pages {
  body:has(.air-page) { grid-template-columns: minmax(0, 1fr); }
  .air-page { display: grid; min-width: 0; min-height: 0; }
  .air { position: relative; min-width: 0; }
  .air-view { position: relative; min-width: 0; }
  .air-view canvas:focus-visible { outline-offset: -3px; }
  .air-notice { position: absolute; inset-block-start: 0; inset-inline-end: 0; max-width: 100%; padding-inline: var(--space); background: var(--surface); color: var(--text-quiet); font-size: 12px; line-height: 18px; }
  .air-compact .air-view { height: clamp(240px, 38vh, 380px); border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden; }
  .air-compact { display: grid; gap: calc(2 * var(--space)); }
  .air-panel { padding: calc(3 * var(--space)); background: var(--panel-ground); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); font-size: 14px; min-width: 0; }
  .air-panel:has(> h2 > .air-toggle[aria-expanded="false"]) { padding-block: calc(1.5 * var(--space)); }
  .air-panel h2, .air-panel h3 { font-size: 14px; }
  .air-panel button:not(.link, .air-toggle), .air-panel .button { min-height: 36px; padding: var(--space) calc(3 * var(--space)); }
  .air-panel .help { font-size: 13px; }
  .air-toggle { display: flex; place-content: normal start; gap: calc(2 * var(--space)); align-items: center; width: 100%; min-height: 28px; padding: 0; border: 0; background: none; color: var(--text); text-align: start; }
  .air-toggle:hover { box-shadow: none; text-decoration: underline; text-underline-offset: 4px; }
  .air-toggle::before { content: ""; flex: none; width: 8px; height: 8px; margin-inline: 2px; border: solid var(--text-quiet); border-width: 0 2px 2px 0; transform: translateY(-2px) rotate(45deg); }
  .air-toggle[aria-expanded="false"]::before { transform: rotate(-45deg); }
  .air-toggle > span { margin-inline-start: auto; color: var(--text-quiet); font-weight: 400; }
  .air-toggle > .air-count-bad { padding-inline: calc(2 * var(--space)); border-radius: var(--radius); background: var(--failed-ground); color: var(--failed); font-weight: 650; }
  .air-panel-body { display: grid; gap: calc(3 * var(--space)); padding-block-start: calc(2 * var(--space)); }
  .air-panel-body > * { min-width: 0; }
  .air-head { display: grid; gap: 0; }
  .air-counts { font-size: 18px; font-weight: 650; line-height: 1.3; }
  .air-stale { margin-block-start: calc(2 * var(--space)); padding: calc(2 * var(--space)); }
  .air-list { display: grid; }
  .air-list > li { display: grid; gap: var(--space); padding-block: calc(2 * var(--space)); border-block-start: 1px solid var(--line); }
  .air-list > li:first-child { border-block-start: 0; padding-block-start: 0; }
  .air-list .split { align-items: center; gap: calc(2 * var(--space)); }
  .air-list .split > :first-child { flex: 0 1 auto; }
  .air-list .active { border-inline-start: 3px solid var(--failed); padding-inline-start: calc(2 * var(--space)); }
  .air-list .ended { color: var(--text-quiet); }
  .air-advice::before { content: "Advice: "; }
  .air-panel :is(.link, a:not(.button)) { color: var(--accent); }
  .air-list .link { font-weight: 400; color: inherit; text-wrap: pretty; }
  .air-figures { display: grid; grid-template-columns: auto 1fr auto 1fr; gap: 0 calc(2 * var(--space)); align-items: baseline; }
  .air-figures dt { color: var(--text-quiet); font-size: 13px; }
  .air-figures dd { margin: 0; overflow-wrap: anywhere; }
  [data-selected] .air-figures dd:last-child { grid-column: 2 / -1; }
  .air-list .state { justify-self: start; }
  .air-facts { display: grid; gap: var(--space); font-size: 13px; }
  .air-facts li { padding-inline-start: calc(2 * var(--space)); border-inline-start: 2px solid var(--line); }
  [data-selected] { display: grid; gap: calc(3 * var(--space)); }
  [data-selected] .split { align-items: center; }
  [data-selected] .split > :first-child { flex: 0 1 auto; font-size: 18px; }
  .air-form { display: grid; gap: calc(3 * var(--space)); }
  .air-form fieldset { display: flex; flex-wrap: wrap; gap: 0 calc(3 * var(--space)); min-width: 0; margin: 0; padding: 0; border: 0; }
  .air-form :is(legend, .field > label) { padding: 0; font-weight: 600; font-size: 13px; }
  .air-form :is(input:not([type="checkbox"], [type="radio"]), select) { width: 100%; min-width: 0; min-height: 36px; padding: var(--space) calc(2 * var(--space)); background: var(--ground); border: 1px solid var(--line-strong); border-radius: var(--radius); }
  .air-band { display: grid; grid-template-columns: auto 1fr auto 1fr; gap: calc(2 * var(--space)); align-items: center; width: 100%; }
  .air-signs { display: grid; gap: var(--space); }
  .air-signs li { display: flex; gap: calc(2 * var(--space)); align-items: center; }
  .air-sign { flex: none; fill: none; stroke: var(--text); stroke-width: 1.8; stroke-linejoin: round; }
  .air-sign.live { fill: var(--text); }
  .air-sign.tentative { stroke-dasharray: 3 2; }
  .air-tools { display: flex; flex-wrap: wrap; gap: calc(2 * var(--space)); align-items: end; }
  .air-tools > * { padding: calc(2 * var(--space)) calc(3 * var(--space)); }
  .air-legend { display: grid; gap: 2px; flex: 0 0 auto; }
  .air-legend > div { display: grid; grid-template-columns: repeat(12, 20px); padding-block-end: 16px; }
  .air-legend span[data-step] { position: relative; height: 8px; }
  .air-legend span[data-step]::after { content: attr(data-from); position: absolute; inset-block-start: 9px; inset-inline-start: 0; color: var(--text-quiet); font-size: 11px; line-height: 14px; white-space: nowrap; }
  .air-replay { display: flex; gap: calc(2 * var(--space)); align-items: center; flex: 1 1 240px; flex-wrap: wrap; max-width: 560px; min-width: 0; }
  .air-time { display: grid; flex: 1 1 150px; min-width: 0; }
  .air-time input { width: 100%; min-width: 0; margin: 0; accent-color: var(--accent); }
  .air-time .help { min-height: 18px; font-size: 12px; line-height: 18px; }
  .air-pages { display: flex; gap: calc(4 * var(--space)); align-items: center; justify-content: space-between; }
  .air-replay output { min-width: 116px; font-size: 13px; }
  .air-replay:not([data-past]) [data-live] { visibility: hidden; }
  .air-replay[data-past] { border-color: var(--busy); background: var(--busy-ground); }
  .air-zoom { display: flex; flex-wrap: wrap; gap: calc(2 * var(--space)); align-items: center; margin-inline-start: auto; }
  .air-zoom button { min-width: 36px; }
  .air-scale { min-width: 20px; max-width: 160px; border: 1px solid var(--text-quiet); border-block-start: 0; text-align: center; line-height: 16px; white-space: nowrap; }
  .air-table { max-height: 70vh; overflow: auto; }
  .air-table table { font-size: 13px; }
  .air-table :is(th, td) { padding-block: var(--space); }
  .air-table thead th { position: sticky; inset-block-start: 0; z-index: 1; background: var(--surface); }
  .air-table thead a { color: inherit; text-decoration: none; }
  .air-table thead a:hover { text-decoration: underline; }
  .air-table th[aria-sort] a::after { content: " ↑" / ""; }
  .air-table th[aria-sort="descending"] a::after { content: " ↓" / ""; }
  .air-table [aria-current="true"] { background: var(--ground); }
  .air-table .air-alerted th::before { content: "! " / "In an alert: "; color: var(--failed); font-weight: 650; }
  .air-table .link { min-height: 24px; font-weight: 600; }
  .air-keys { display: grid; gap: calc(2 * var(--space)); margin-block-start: calc(3 * var(--space)); }
  .air-keys > div { display: grid; grid-template-columns: 116px 1fr; align-items: baseline; }
  .air-keys dt { display: flex; gap: var(--space); }
  .air-keys kbd { min-width: 24px; padding-inline: var(--space); border: 1px solid var(--line-strong); border-radius: var(--radius); font: 13px/1.6 var(--font); text-align: center; }
  .air-empty { display: grid; gap: calc(2 * var(--space)); justify-items: start; }

  @media (scripting: none) {
    .air-scripted, .air-view, .air-compact, .air-empty[hidden] { display: none; }
    .air-table { max-height: none; }
  }
  @media (scripting: enabled) {
    [data-collapsed] > .air-panel-body { display: none; }
  }

  /* Narrow: the map, its tools, then the panels. */
  .air { display: grid; grid-template-columns: minmax(0, 1fr); gap: calc(3 * var(--space)); align-content: start; padding-block-end: calc(6 * var(--space)); }
  .air > .air-view { height: 58vh; }
  .air > .air-tools { margin-inline: calc(3 * var(--space)); }
  @media (max-width: 899px) {
    .air-tools > * { flex: 1 1 auto; max-width: none; align-self: stretch; align-content: center; }
    .air-tools > .air-replay { order: 1; flex-basis: 100%; }
    .air-legend > div { grid-template-columns: repeat(12, minmax(20px, 1fr)); }
    .air-zoom > .air-scale { margin-inline-end: auto; }
  }
  .air-left, .air-right, .air-bottom { display: grid; grid-template-columns: minmax(0, 1fr); gap: calc(3 * var(--space)); align-content: start; min-width: 0; padding-inline: calc(3 * var(--space)); }
  .air > .air-empty { margin-inline: calc(3 * var(--space)); }
  .air > noscript > p { margin: calc(3 * var(--space)); }

  /* The selected target is a sheet below the map, which stays. */
  @media ((max-width: 899px) or (max-height: 479px)) and (scripting: enabled) {
    .air > .air-view { height: 54vh; }
    .air:has([data-selected]:not([hidden])) { padding-block-end: 46vh; }
    .air:has([data-selected]:not([hidden])) > .air-view { position: sticky; inset-block-start: 0; z-index: 3; }
    [data-selected]:not([hidden]) { position: fixed; inset-inline: 0; inset-block-end: 0; z-index: 4; max-height: 46vh; overflow: auto; background: var(--surface); border-radius: var(--radius) var(--radius) 0 0; }
  }

  /* Wide: the map is the page, and the panels float on it. */
  @media (min-width: 900px) and (min-height: 480px) and (scripting: enabled) {
    body:has(.air-page) { height: 100vh; height: 100dvh; overflow: hidden; }
    body:has(.air-page) > .bar { padding: calc(2 * var(--space)) calc(4 * var(--space)); }
    .air { --drawer: 42px; --edge: calc(3 * var(--space)); display: block; padding: 0; }
    .air:has(#air-targets:not([data-collapsed])) { --drawer: 38vh; }
    .air > .air-view { position: absolute; inset: 0; height: auto; }
    .air > .air-view > .air-notice { inset-inline: auto calc(320px + 2 * var(--edge)); max-width: calc(100% - 612px - 4 * var(--edge)); }
    .air > :is(.air-left, .air-right, .air-bottom, .air-tools) { position: absolute; margin: 0; padding: 0; pointer-events: none; }
    .air > :is(.air-left, .air-right, .air-bottom, .air-tools) .air-panel { pointer-events: auto; }
    .air > :is(.air-left, .air-right) { inset-block: var(--edge) calc(var(--drawer) + 88px); overflow: hidden auto; scrollbar-width: thin; }
    .air > .air-left { inset-inline-start: var(--edge); width: 292px; }
    .air > .air-right { display: flex; flex-direction: column; inset-inline-end: var(--edge); width: 320px; }
    .air-right > .air-panel { flex: none; }
    .air-right > .air-panel:not([data-collapsed]) { flex: 0 1 auto; min-height: 120px; overflow: auto; scrollbar-width: thin; }
    .air-right > .air-panel > h2 { position: sticky; inset-block-start: 0; z-index: 1; background: var(--surface); }
    .air > .air-tools { inset-inline: var(--edge); inset-block-end: calc(var(--edge) + var(--drawer) + 2 * var(--space)); }
    .air > .air-bottom { inset-inline: var(--edge); inset-block-end: var(--edge); }
    #air-targets { display: grid; grid-template-rows: auto minmax(0, 1fr); height: var(--drawer); background: var(--surface); }
    #air-targets > .air-panel-body { grid-template-rows: minmax(0, 1fr) auto; }
    .air-table { max-height: none; }
    .air > .air-empty { position: absolute; inset-block-start: 30%; inset-inline-start: calc(50% - 180px); width: 360px; margin: 0; }
  }
}`
