/** Each row of a table is a card, with the column's name above each value. In: which of the boxes with `stacks`. */
const cards = (which: string) => `
  .stacks${which} :is(table, tbody, th, td) { display: block; }
  .stacks${which} thead { display: none; }
  .stacks${which} td:has(> .list-actions) { grid-column: 1 / -1; }
  .stacks${which} tbody tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(112px, 1fr)); gap: calc(2 * var(--space)) calc(4 * var(--space)); align-items: end; padding-block: calc(3 * var(--space)); border-block-end: 1px solid var(--line); }
  .stacks${which} tbody tr:first-child { padding-block-start: 0; }
  .stacks${which} tbody tr:last-child { border-block-end: 0; padding-block-end: 0; }
  .stacks${which} tbody :is(th, td) { min-width: 0; padding: 0; border: 0; white-space: normal; overflow-wrap: anywhere; }
  .stacks${which} tbody th { grid-column: 1 / -1; }
  .stacks${which} tbody td:empty { display: none; }
  .stacks${which} td[data-label] { align-self: start; }
  .stacks${which} .spark { display: block; width: 64px; }
  .stacks${which} .state { white-space: normal; }
  .stacks${which} td[data-label]::before { content: attr(data-label); display: block; color: var(--text-quiet); font-size: 14px; }`

/** The styles of the portal's pages: tabs, panels, tables, state badges, the pairing countdown. */
export const portalStyle = `@layer pages {
  .whoami { display: flex; flex-wrap: wrap; gap: calc(2 * var(--space)) calc(4 * var(--space)); align-items: center; margin-inline-start: auto; font-weight: 400; }
  .whoami a { color: var(--text-quiet); }
  .data-page {
    display: grid;
    gap: calc(5 * var(--space));
    align-content: start;
    justify-self: center;
    width: min(100% - 32px, 1200px);
    min-width: 0;
    margin-block: calc(2 * var(--space)) calc(10 * var(--space));
  }
  .data-page > * { min-width: 0; }
  .panel {
    padding: clamp(16px, 3vw, 24px);
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    box-shadow: var(--shadow);
    min-width: 0;
  }
  .columns:not(.details) { display: grid; gap: calc(5 * var(--space)); grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr)); }
  .beside { display: flex; flex-wrap: wrap; gap: calc(5 * var(--space)); align-items: start; }
  .beside > figure { flex: 1 1 160px; }
  .beside > .part { flex: 1 1 280px; }
  .scroll { position: relative; overflow-x: auto; min-width: 0; }
  .list:has([data-live-rows]:empty) { display: none; }
  .scroll > p { padding-block: calc(2 * var(--space)); }
  .stacks { container-type: inline-size; }
  .part { align-content: start; min-width: 0; }
  .heading.split > :first-child { flex-basis: 240px; }
  .panel > .row { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; }
  .panel > .row > :first-child { flex: 1 1 240px; min-width: 0; }
  .panel > .row:last-child { padding-block-end: 0; }
  .part > * { min-width: 0; }
  table { width: 100%; border-collapse: collapse; overflow-wrap: normal; }
  th, td { padding: calc(2 * var(--space)) calc(2 * var(--space)); text-align: start; vertical-align: baseline; border-block-end: 1px solid var(--line); }
  thead th { color: var(--text-quiet); font-size: 14px; font-weight: 600; white-space: nowrap; }
  tbody th a code { white-space: nowrap; }
  tbody th { font-weight: 600; min-width: 104px; overflow-wrap: anywhere; }
  tr.silent :is(th a, .time, .rate) { color: var(--text-quiet); }
  tr.silent .spark { fill: var(--text-quiet); }
  tbody tr:last-child :is(th, td) { border-block-end: 0; }
  td { white-space: nowrap; }
  td.wraps { min-width: 160px; white-space: normal; overflow-wrap: anywhere; }
  td .help { white-space: normal; min-width: 160px; }
  :is(.data-page a, .card p a):not(.button) { color: var(--accent); }
  .data-page .failure a:not(.button) { color: inherit; }
  .identifier { display: flex; flex-wrap: wrap; gap: calc(2 * var(--space)); align-items: baseline; font-weight: 400; color: var(--text-quiet); }
  .identifier .link { font-size: 14px; }
  .state { display: inline-flex; gap: calc(1.5 * var(--space)); align-items: baseline; padding-inline: calc(2 * var(--space)); border-radius: var(--radius); border: 1px solid; font-size: 14px; white-space: nowrap; }
  td.wraps .state { white-space: normal; }
  .state svg { flex: none; align-self: center; fill: none; stroke: currentcolor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
  .state.good { color: var(--done); background: var(--done-ground); }
  .state.bad { color: var(--failed); background: var(--failed-ground); }
  .state.busy { color: var(--busy); background: var(--busy-ground); }
  .state.quiet { color: var(--text-quiet); }
  .rate { display: inline-flex; gap: calc(2 * var(--space)); align-items: end; }
  /* So that the charts of all rows begin at one place. */
  .rate-figure { min-width: 6ch; text-align: end; }
  tbody th:has(.identifier) { min-width: 208px; }
  .spark { width: 88px; height: 24px; fill: var(--accent); border-block-end: 1px solid var(--line); }
  /* It takes no room, so that the rows stay where they are. */
  .news { display: grid; position: sticky; inset-block-start: 8px; inset-inline-start: 0; z-index: 2; width: max-content; min-height: 32px; height: 32px; padding-block: 2px; margin-block-end: -32px; margin-inline-start: auto; background: var(--accent); color: var(--on-accent); }
  .list:not(.scroll) > .news { margin-block: -44px 12px; }
  [data-live]:empty { display: none; }
  .tag { display: inline-block; padding-inline: calc(1.5 * var(--space)); margin-inline-end: var(--space); border: 1px solid var(--line-strong); border-radius: var(--radius); color: var(--text-quiet); font-size: 13px; font-weight: 400; }
  .tag[title] { cursor: help; }
  a.tag { text-decoration: none; }
  a.tag:hover, a.tag[aria-current] { border-color: var(--accent); background: var(--surface); }
  a.tag[aria-current] { outline: 1px solid var(--accent); font-weight: 600; }
  .tag-filters, .tags { display: flex; flex-wrap: wrap; gap: calc(1.5 * var(--space)); }
  .tag-filters .tag { padding-block: var(--space); font-size: 14px; }
  .tag-filters .tag, .tags .tag { margin: 0; min-height: 24px; }
  tr.group th { padding-block-start: calc(4 * var(--space)); color: var(--text-quiet); font-size: 14px; }
  .other-id { font-weight: 400; color: var(--text-quiet); }
  summary { cursor: pointer; }
  .earlier summary, .figures summary { color: var(--text-quiet); font-size: 14px; }
  .earlier ol, .attempts { margin: 0; padding-inline-start: calc(5 * var(--space)); font-size: 14px; white-space: normal; }
  .dialog { width: min(100% - 32px, 440px); max-height: calc(100% - 32px); padding: clamp(16px, 3vw, 24px); background: var(--surface); border: 1px solid var(--line-strong); border-radius: var(--radius); box-shadow: var(--shadow); color: var(--text); font-weight: 400; white-space: normal; }
  .dialog:not(:popover-open) { display: none; }
  .dialog::backdrop { background: rgb(0 0 0 / 40%); }
  thead th a { color: inherit; text-underline-offset: 4px; }
  thead th[aria-sort] a { color: var(--text); }
  thead th[aria-sort="ascending"] a::after { content: " ↑" / ""; }
  thead th[aria-sort="descending"] a::after { content: " ↓" / ""; }
  .command { margin: 0; padding: calc(3 * var(--space)); overflow-x: auto; background: var(--ground); border: 1px solid var(--line); border-radius: var(--radius); white-space: pre-wrap; overflow-wrap: anywhere; }
  .command span { display: inline-block; max-width: 100%; }
  .overview, .overview > div { display: grid; gap: calc(5 * var(--space)); grid-template-columns: minmax(0, 1fr); align-content: start; }
  .first-steps { display: grid; gap: calc(2 * var(--space)); margin: 0; padding-inline-start: calc(5 * var(--space)); }
  .first-steps [aria-current] { font-weight: 600; }
  .figures-row { display: grid; grid-template-columns: repeat(2, 1fr); gap: calc(4 * var(--space)); }
  .figures-row dt { color: var(--text-quiet); font-size: 14px; }
  .figures-row dd { display: grid; }
  .figure { font-size: 26px; font-weight: 650; line-height: 1.3; }
  .figure .state { font-size: inherit; }
  .charts { display: grid; gap: calc(5 * var(--space)); grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); }
  .chart { display: grid; gap: calc(2 * var(--space)); min-width: 0; }
  .chart figcaption { font-weight: 600; font-size: 14px; }
  .chart [data-plot] { min-width: 0; overflow: hidden; }
  .chart:not(:has(.uplot)) [data-plot] { display: none; }
  .chart .u-legend { text-align: start; font-size: 13px; }
  .chart .u-legend :is(th, td) { padding: 0 calc(2 * var(--space)) 0 0; border: 0; min-width: 0; white-space: nowrap; }
  .figures .scroll { max-height: 240px; overflow: auto; }
  .switch { position: relative; min-width: 92px; padding-inline-start: 56px; }
  .switch::before, .switch::after { content: ""; position: absolute; inset-block-start: calc(50% - 10px); inset-inline-start: 12px; width: 36px; height: 20px; border: 2px solid currentcolor; border-radius: 10px; }
  .switch::after { inset-block-start: calc(50% - 6px); inset-inline-start: 16px; width: 12px; height: 12px; border: 0; background: currentcolor; }
  .switch[aria-checked="true"]::after { inset-inline-start: 32px; }
  .switch[aria-checked="true"] { background: var(--done-ground); border-color: var(--done); color: var(--done); }
  .switch[aria-checked="false"] { border-color: var(--line-strong); color: var(--text-quiet); }
  .buttons { display: flex; flex-wrap: wrap; gap: calc(3 * var(--space)); }
  .parts { display: flex; flex-wrap: wrap; gap: 0 calc(4 * var(--space)); position: sticky; inset-block-start: 0; z-index: 2; background: var(--ground); }
  .data-page:has(> .parts) h2 { scroll-margin-block-start: 48px; }
  .parts a { padding-block: calc(2 * var(--space)); }
  .list-actions { flex-wrap: nowrap; }
  .search { display: flex; flex-wrap: wrap; gap: calc(3 * var(--space)); align-items: end; }
  .search .field { flex: 1 1 200px; max-width: 320px; }
  .search p { min-height: 44px; align-content: center; }
  .count { color: var(--text-quiet); font-weight: 400; }
  .ring { width: 128px; height: 128px; flex: none; }
  .ring circle { fill: none; stroke: var(--line); stroke-width: 5; }
  .ring .arc { stroke: var(--accent); }
  .ring text { fill: var(--text); font: 650 20px var(--font); }
  .qr { width: 160px; height: 160px; border-radius: var(--radius); }
  .large { font-size: 22px; }
  .reasons { display: grid; gap: calc(2 * var(--space)); padding-inline-start: calc(5 * var(--space)); list-style: disc; }
  .stale { padding: calc(3 * var(--space)); background: var(--busy-ground); border: 1px solid var(--busy); border-radius: var(--radius); color: var(--busy); }
  .choices form { display: contents; }
  textarea { font-family: var(--mono); font-size: 14px; }
  textarea[readonly] { width: 100%; padding: calc(3 * var(--space)); background: var(--ground); border: 1px solid var(--line); border-radius: var(--radius); overflow-wrap: anywhere; }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  [hidden] { display: none !important; }
}

@media (width >= 600px) {
  .figures-row { grid-template-columns: repeat(4, 1fr); }
}

@media (width >= 1000px) {
  .overview { grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); }
  .overview.begins > :first-child { order: 1; }
}

@container (width < 860px) {
  .stacks thead th { white-space: normal; }
  .stacks td:has(> .state + .time) { white-space: normal; }
}

@container (600px <= width < 860px) {
  .stacks :is(th, td) { padding-inline: var(--space); }
  .stacks td button:not(.switch) { padding-inline: calc(2 * var(--space)); }
}

/* The figures that are long, in two lines. */
@container (width < 1010px) {
  .air-table td:is([data-label="Altitude"], [data-label="Position"], [data-label="Sensors"]) { white-space: normal; }
}

@container (width < 600px) {
  ${cards('')}
}

/* A row with several buttons needs more room. */
@container (width < 1120px) {
  ${cards(':where(:has(.list-actions))')}
}

@container (600px <= width < 1120px) {
  .stacks:has(.list-actions) tbody tr { grid-template-columns: repeat(4, minmax(112px, 1fr)) max-content; }
  .stacks td:has(> .list-actions) { grid-column: auto; }
}

/* On a phone the column's name is beside the value, which takes half of the height. */
@container (width < 400px) {
  .stacks tbody tr { grid-template-columns: minmax(0, 1fr); gap: var(--space); }
  .stacks tbody td[data-label]:not(:empty) { display: flow-root; padding-inline-start: 92px; }
  .stacks td[data-label]::before { float: inline-start; width: 88px; margin-inline-start: -92px; }
  .stacks tr:has(> td > form:only-child) { position: relative; }
  .stacks td:has(> form:only-child):last-child { position: absolute; inset-inline-end: 0; inset-block-end: calc(3 * var(--space)); }
}`
