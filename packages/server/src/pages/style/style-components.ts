/** The styles of the components that all pages share. */
export const components = `@layer components {
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: calc(2 * var(--space)) calc(6 * var(--space));
    align-items: center;
    padding: calc(4 * var(--space)) max(16px, 50% - 600px);
    color: var(--text-quiet);
    font-size: 14px;
    font-weight: 650;
  }
  .skip { position: absolute; inset-block-start: calc(2 * var(--space)); inset-inline-start: calc(2 * var(--space)); z-index: 5; padding: calc(2 * var(--space)) calc(4 * var(--space)); background: var(--surface); border-radius: var(--radius); color: var(--accent); font-weight: 600; }
  .skip:not(:focus) { clip-path: inset(50%); }
  .site-name { display: inline-flex; gap: calc(2 * var(--space)); align-items: center; min-height: 24px; color: var(--text); text-decoration: none; }
  .site-name:hover { text-decoration: underline; text-underline-offset: 4px; }
  .site-name svg { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linecap: round; color: var(--accent); }
  .tabs { display: flex; flex-wrap: wrap; gap: var(--space); }
  .tabs a {
    display: block;
    padding: calc(2 * var(--space)) calc(3 * var(--space));
    border-radius: var(--radius);
    color: var(--text);
    text-decoration: none;
  }
  .bar { min-width: 0; }
  .bar nav { min-width: 0; max-width: 100%; }
  .bar .tabs { flex-wrap: nowrap; overflow-x: auto; }
  .bar .tabs a { white-space: nowrap; }
  /* Without a script the current page is in view, too, where not all links are. */
  .bar .tabs a[aria-current] { scroll-initial-target: nearest; }
  @media (width < 960px) {
    .bar { padding-block: calc(3 * var(--space)); }
    .bar > nav { order: 1; flex-basis: 100%; margin-inline: calc(-3 * var(--space)); }
  }
  .tabs a:hover { text-decoration: underline; text-underline-offset: 4px; }
  .tabs a[aria-current] { background: var(--surface); box-shadow: inset 0 0 0 1px var(--line); color: var(--accent); }
  .check { display: inline-flex; gap: calc(2 * var(--space)); align-items: center; min-height: 32px; justify-self: start; font-size: 14px; }
  .field .check { font-weight: 400; }
  .field .check input { width: 18px; min-height: 18px; height: 18px; accent-color: var(--accent); }
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
  .field :is(input, select, textarea) {
    width: 100%;
    min-height: 44px;
    padding: calc(2 * var(--space)) calc(3 * var(--space));
    background: var(--surface);
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
  }
  .field [aria-invalid] { border-color: var(--failed); }
  .help { color: var(--text-quiet); font-size: 14px; }
  .doubt { color: var(--busy); font-size: 14px; text-wrap: pretty; }
  .wrong { color: var(--failed); font-size: 14px; overflow-wrap: anywhere; }
  .failure, .notice {
    padding: calc(3 * var(--space));
    background: var(--failed-ground);
    border: 1px solid var(--failed);
    border-radius: var(--radius);
    color: var(--failed);
    overflow-wrap: anywhere;
  }
  .notice { background: var(--done-ground); border-color: var(--done); color: var(--done); }
  .said { position: fixed; inset-block-end: calc(4 * var(--space)); inset-inline: 0; z-index: 3; justify-self: center; width: fit-content; max-width: min(100% - 32px, 600px); margin-inline: auto; box-shadow: var(--shadow); }
  .said:empty { display: none; }
  .details { display: grid; gap: calc(3 * var(--space)); }
  .details dt { color: var(--text-quiet); font-size: 14px; }
  .details.columns { grid-template-columns: repeat(auto-fill, minmax(min(100%, 190px), 1fr)); }
  .time { position: relative; white-space: nowrap; }
  .time:hover::after {
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
  .choices:has([data-names-email]) { grid-template-columns: 1fr; }
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
  :is(button, .button).main { background: var(--accent); color: var(--on-accent); }
  button:disabled { opacity: 0.6; cursor: progress; }
  button.link { place-content: center start; min-height: 24px; padding: 0; border: 0; background: none; text-align: start; text-decoration: underline; }
  button:hover, .button:hover { box-shadow: inset 0 0 0 1px currentcolor; }
  button.link:hover { box-shadow: none; text-decoration-thickness: 2px; }
}`
