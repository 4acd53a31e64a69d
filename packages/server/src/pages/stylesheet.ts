/** The look of all pages. No font and no image comes with it. */
import { createHash } from 'node:crypto'

export const stylesheet = `@layer reset, tokens, base, components, pages;

@layer reset {
  *, *::before, *::after { box-sizing: border-box; }
  body, h1, h2, h3, p, ul, dl, dd, figure, pre { margin: 0; }
  ul { padding: 0; list-style: none; }
  input, textarea, button { font: inherit; color: inherit; }
}

@layer tokens {
  :root {
    color-scheme: light dark;
    --ground: light-dark(#eef1f4, #0f1418);
    --surface: light-dark(#ffffff, #182027);
    --line: light-dark(#c3ccd4, #3b4752);
    --line-strong: light-dark(#6b7885, #8796a3);
    --text: light-dark(#15202b, #e8eef3);
    --text-quiet: light-dark(#4a5763, #a9b6c2);
    --accent: light-dark(#0b5a94, #7cc0f5);
    --on-accent: light-dark(#ffffff, #08243a);
    --failed: light-dark(#a3200f, #ff9d8d);
    --failed-ground: light-dark(#fdf0ee, #331a17);
    --done: light-dark(#17633a, #86d9a8);
    --done-ground: light-dark(#edf7f1, #14291e);
    --busy: light-dark(#7a4b00, #f0c06a);
    --busy-ground: light-dark(#fdf5e6, #2e2411);
    --space: 4px;
    --radius: 6px;
    --shadow: 0 1px 2px light-dark(rgb(21 32 43 / 12%), rgb(0 0 0 / 40%));
    --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
    --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
  }
}

@layer base {
  body {
    min-height: 100vh;
    display: grid;
    grid-template-rows: auto 1fr;
    background: var(--ground);
    color: var(--text);
    font: 16px/1.5 var(--font);
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
  }
  h1 { font-size: 22px; line-height: 1.3; font-weight: 650; }
  h2 { font-size: 16px; line-height: 1.5; font-weight: 650; }
  h3 { font-size: 16px; line-height: 1.5; font-weight: 600; }
  code { font-family: var(--mono); font-size: 0.9em; }
  strong { font-weight: 650; }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
}

@layer components {
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: calc(2 * var(--space)) calc(6 * var(--space));
    align-items: center;
    padding: calc(4 * var(--space));
    color: var(--text-quiet);
    font-size: 14px;
    font-weight: 650;
  }
  .card {
    display: grid;
    gap: calc(5 * var(--space));
    align-content: start;
    align-self: start;
    justify-self: center;
    width: min(100% - 32px, 440px);
    margin-block: clamp(0px, 6vh, 64px) calc(8 * var(--space));
    padding: clamp(20px, 5vw, 32px);
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    box-shadow: var(--shadow);
  }
  .card.wide { width: min(100% - 32px, 720px); gap: calc(8 * var(--space)); }
  .heading { display: grid; gap: var(--space); }
  .quiet { color: var(--text-quiet); }
  .split { display: flex; flex-wrap: wrap; gap: calc(2 * var(--space)) calc(4 * var(--space)); justify-content: space-between; align-items: start; }
  .split > :first-child { flex: 1 1 160px; min-width: 0; }
  .split > h3:first-child { align-self: center; }
  .part { display: grid; gap: calc(3 * var(--space)); }
  .part > h2 { padding-block-end: calc(2 * var(--space)); border-block-end: 1px solid var(--line); font-size: 18px; }
  .rows { display: grid; }
  .row { display: grid; gap: calc(3 * var(--space)); padding-block: calc(4 * var(--space)); }
  .row:first-child { padding-block-start: var(--space); }
  .row + .row { border-block-start: 1px solid var(--line); }
  .badge {
    display: inline-block;
    margin-inline-end: calc(2 * var(--space));
    padding-inline: calc(2 * var(--space));
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
    color: var(--text-quiet);
    font-size: 14px;
    font-weight: 400;
    white-space: nowrap;
  }
  .form, .field { display: grid; gap: var(--space); }
  .form { gap: calc(4 * var(--space)); }
  .form.narrow { max-width: 376px; }
  .field label { font-weight: 600; }
  .field :is(input, textarea) {
    width: 100%;
    min-height: 44px;
    padding: calc(2 * var(--space)) calc(3 * var(--space));
    background: var(--ground);
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
  }
  .field [aria-invalid] { border-color: var(--failed); }
  .help { color: var(--text-quiet); font-size: 14px; }
  .wrong { color: var(--failed); font-size: 14px; }
  .failure, .notice {
    padding: calc(3 * var(--space));
    background: var(--failed-ground);
    border: 1px solid var(--failed);
    border-radius: var(--radius);
    color: var(--failed);
  }
  .notice { background: var(--done-ground); border-color: var(--done); color: var(--done); }
  .facts { display: grid; gap: calc(3 * var(--space)); }
  .facts dt { color: var(--text-quiet); font-size: 14px; }
  .facts.columns { grid-template-columns: repeat(auto-fill, minmax(min(100%, 190px), 1fr)); }
  .moment { position: relative; text-decoration: underline dotted 1px; text-underline-offset: 4px; }
  .moment:is(:hover, :focus)::after {
    content: attr(data-exact);
    position: absolute;
    inset-block-end: calc(100% + var(--space));
    inset-inline-start: 0;
    z-index: 1;
    padding: var(--space) calc(2 * var(--space));
    background: var(--text);
    border-radius: var(--radius);
    color: var(--surface);
    font-size: 14px;
    white-space: nowrap;
  }
  .scopes { display: grid; gap: calc(2 * var(--space)); }
  .scopes li { padding-inline-start: calc(3 * var(--space)); border-inline-start: 3px solid var(--accent); }
  .choices { display: grid; grid-template-columns: repeat(auto-fit, minmax(120px, 1fr)); gap: calc(3 * var(--space)); }
  button, .button {
    display: inline-grid;
    place-content: center;
    min-height: 44px;
    padding: calc(2 * var(--space)) calc(4 * var(--space));
    background: var(--surface);
    border: 1px solid var(--accent);
    border-radius: var(--radius);
    color: var(--accent);
    font-weight: 600;
    text-align: center;
    text-decoration: none;
    cursor: pointer;
  }
  .danger { border-color: var(--failed); color: var(--failed); }
  button.main { background: var(--accent); color: var(--on-accent); }
  button.link { min-height: 24px; padding: 0; border: 0; background: none; text-decoration: underline; }
  button:hover, .button:hover { box-shadow: inset 0 0 0 1px currentcolor; }
  button.link:hover { box-shadow: none; text-decoration-thickness: 2px; }
}

@layer pages {
  .places { display: flex; flex-wrap: wrap; gap: var(--space); }
  .places a {
    display: block;
    padding: calc(2 * var(--space)) calc(3 * var(--space));
    border-radius: var(--radius);
    color: var(--text);
    text-decoration: none;
  }
  .places a:hover { text-decoration: underline; text-underline-offset: 4px; }
  .places a[aria-current] { background: var(--surface); box-shadow: inset 0 0 0 1px var(--line); color: var(--accent); }
  .whoami { display: flex; flex-wrap: wrap; gap: calc(2 * var(--space)) calc(4 * var(--space)); align-items: center; margin-inline-start: auto; font-weight: 400; }
  .whoami a { color: var(--text-quiet); }
  .desk {
    display: grid;
    gap: calc(5 * var(--space));
    align-content: start;
    justify-self: center;
    width: min(100% - 32px, 1200px);
    min-width: 0;
    margin-block: calc(2 * var(--space)) calc(10 * var(--space));
  }
  .desk > * { min-width: 0; }
  .panel {
    padding: clamp(16px, 3vw, 24px);
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    box-shadow: var(--shadow);
    min-width: 0;
  }
  .columns { display: grid; gap: calc(5 * var(--space)); grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr)); align-items: start; }
  .beside { display: flex; flex-wrap: wrap; gap: calc(5 * var(--space)); align-items: start; }
  .beside > .scroll { flex: 3 1 min(100%, 460px); }
  .beside > .tracks { position: sticky; inset-block-start: calc(4 * var(--space)); flex: 1 1 240px; max-width: 360px; }
  .scroll { position: relative; overflow-x: auto; min-width: 0; }
  .stacks { container-type: inline-size; }
  .part { align-content: start; min-width: 0; }
  .part > * { min-width: 0; }
  table { width: 100%; border-collapse: collapse; overflow-wrap: normal; }
  th, td { padding: calc(2 * var(--space)) calc(3 * var(--space)); text-align: start; vertical-align: top; border-block-end: 1px solid var(--line); }
  thead th { color: var(--text-quiet); font-size: 14px; font-weight: 600; white-space: nowrap; }
  tbody th { font-weight: 600; min-width: 160px; overflow-wrap: anywhere; }
  tbody tr:last-child :is(th, td) { border-block-end: 0; }
  td { white-space: nowrap; }
  td.wraps { min-width: 160px; white-space: normal; overflow-wrap: anywhere; }
  td .help { white-space: normal; min-width: 160px; }
  :is(.desk a, .card p a):not(.button) { color: var(--accent); }
  .identifier { display: flex; flex-wrap: wrap; gap: calc(2 * var(--space)); align-items: baseline; font-weight: 400; color: var(--text-quiet); }
  .identifier .link { font-size: 14px; }
  .state { display: inline-flex; gap: calc(1.5 * var(--space)); align-items: center; padding-inline: calc(2 * var(--space)); border-radius: var(--radius); border: 1px solid; font-size: 14px; white-space: nowrap; }
  .state svg { fill: none; stroke: currentcolor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
  .state.good { color: var(--done); background: var(--done-ground); }
  .state.bad { color: var(--failed); background: var(--failed-ground); }
  .state.busy { color: var(--busy); background: var(--busy-ground); }
  .state.quiet { color: var(--text-quiet); }
  .rate { display: inline-flex; gap: calc(2 * var(--space)); align-items: end; }
  .spark { width: 120px; height: 24px; fill: var(--accent); border-block-end: 1px solid var(--line); }
  .switch { min-width: 72px; }
  .switch[aria-checked="true"] { background: var(--done-ground); border-color: var(--done); color: var(--done); }
  .switch[aria-checked="false"] { border-color: var(--line-strong); color: var(--text-quiet); }
  .buttons { display: flex; flex-wrap: wrap; gap: calc(3 * var(--space)); }
  .search { display: flex; flex-wrap: wrap; gap: calc(3 * var(--space)); align-items: end; }
  .search .field { flex: 0 1 320px; }
  .search p { min-height: 44px; align-content: center; }
  .tracks svg { width: 100%; background: var(--ground); border: 1px solid var(--line); border-radius: var(--radius); }
  .tracks polyline { fill: none; stroke: var(--accent); stroke-width: 1.5; stroke-linejoin: round; }
  .tracks circle { fill: var(--accent); }
  .tracks text { fill: var(--text); font: 11px var(--mono); }
  .tracks .other { opacity: 0.25; }
  .ring { width: 128px; height: 128px; flex: none; }
  .ring circle { fill: none; stroke: var(--line); stroke-width: 5; }
  .ring .arc { stroke: var(--accent); }
  .ring text { fill: var(--text); font: 650 20px var(--font); }
  .qr { width: 160px; height: 160px; border-radius: var(--radius); }
  .large { font-size: 22px; }
  .reasons { display: grid; gap: calc(2 * var(--space)); padding-inline-start: calc(5 * var(--space)); list-style: disc; }
  .stale { padding: calc(3 * var(--space)); background: var(--busy-ground); border: 1px solid var(--busy); border-radius: var(--radius); color: var(--busy); }
  .choices form { display: contents; }
  textarea, pre { font-family: var(--mono); font-size: 14px; }
  pre { max-height: 320px; overflow: auto; padding: calc(3 * var(--space)); background: var(--ground); border: 1px solid var(--line); border-radius: var(--radius); white-space: pre-wrap; overflow-wrap: anywhere; }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  [hidden] { display: none !important; }
}

/* Where a table has no room each row is a card: the name of a column stands above each value. */
@container (width < 720px) {
  .stacks :is(table, tbody, th, td) { display: block; }
  .stacks thead { display: none; }
  .stacks tbody tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(112px, 1fr)); gap: calc(2 * var(--space)) calc(4 * var(--space)); align-items: end; padding-block: calc(3 * var(--space)); border-block-end: 1px solid var(--line); }
  .stacks tbody tr:first-child { padding-block-start: 0; }
  .stacks tbody tr:last-child { border-block-end: 0; padding-block-end: 0; }
  .stacks tbody :is(th, td) { min-width: 0; padding: 0; border: 0; white-space: normal; overflow-wrap: anywhere; }
  .stacks tbody th { grid-column: 1 / -1; }
  .stacks td[data-label] { align-self: start; }
  .stacks .spark { width: 64px; }
  .stacks td[data-label]::before { content: attr(data-label); display: block; color: var(--text-quiet); font-size: 14px; }
}

@media print {
  :root { color-scheme: light; }
  body { background: none; }
  .bar, form, .buttons, .button, .identifier button, .unprinted { display: none; }
  .panel { border: 0; box-shadow: none; padding: 0; }
  tr, figure { break-inside: avoid; }
  .moment { text-decoration: none; }
  .moment::after { content: " (" attr(data-exact) ")"; }
}

@media (forced-colors: active) {
  .card, button, .button, .moment::after { border: 1px solid; }
}
`

/** Named after its content, so that it can be kept for ever. */
export const stylesheetPath = `/posrep-assets/${createHash('sha256').update(stylesheet).digest('hex').slice(0, 16)}.css`
