/** The base styles of all pages: reset of browser defaults, design tokens, plain elements. */
export const foundation = `@layer reset {
  *, *::before, *::after { box-sizing: border-box; }
  body, h1, h2, h3, p, ul, dl, dd, figure { margin: 0; }
  ul { padding: 0; list-style: none; }
  input, select, textarea, button { font: inherit; color: inherit; }
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
}`
