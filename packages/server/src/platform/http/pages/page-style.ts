/** The colours of pages, by the scheme that the reader prefers: those that the dashboard has under these names. */
export const palettes = {
	light: {
		ground: "#f6f7f9",
		card: "#ffffff",
		sunken: "#eef0f3",
		text: "#1b1f24",
		muted: "#57606a",
		edge: "#dfe3e8",
		"control-edge": "#6e7781",
		accent: "#0b57a4",
		"on-accent": "#ffffff",
		bad: "#9f1c14",
		"bad-soft": "#fdeceb",
		warn: "#7a4b00",
		"warn-soft": "#fff4d6",
	},
	dark: {
		ground: "#101418",
		card: "#181c21",
		sunken: "#0b0e11",
		text: "#e8eaed",
		muted: "#a9b1ba",
		edge: "#2b3138",
		"control-edge": "#8b949e",
		accent: "#8ab4f8",
		"on-accent": "#0b1a2e",
		bad: "#ffb4ab",
		"bad-soft": "#3a1512",
		warn: "#ffe08a",
		"warn-soft": "#33290a",
	},
} as const;

const variables = (scheme: keyof typeof palettes): string =>
	Object.entries(palettes[scheme])
		.map(([name, value]) => `--${name}: ${value};`)
		.join(" ");

/** The one style sheet of all pages. Sizes follow the reader's font size, and nothing is wider than the window. */
export const pageStyle = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; ${variables("light")} }
@media (prefers-color-scheme: dark) { :root { ${variables("dark")} } }
body { background: var(--ground); color: var(--text); margin: 0 auto; max-width: 27rem; overflow-wrap: anywhere; padding: max(1.5rem, 9vh) 1.25rem 3rem; }
.service { align-items: center; display: flex; font-weight: 650; gap: 0.625rem; margin: 0 0 1.25rem; }
.service svg { fill: var(--accent); height: 1.75rem; width: 1.75rem; }
.service path { fill: none; stroke: var(--on-accent); stroke-linecap: round; stroke-width: 3; }
main { background: var(--card); border: 1px solid var(--edge); border-radius: 0.75rem; padding: 1.5rem; }
main > :last-child { margin-bottom: 0; }
h1 { font-size: 1.25rem; font-weight: 650; line-height: 1.4; margin: 0 0 1rem; }
h2 { font-size: 1rem; margin: 1.75rem 0 0.5rem; }
a { color: var(--accent); }
label, legend { font-weight: 600; padding: 0; }
.field { margin-top: 1.25rem; }
.field label { display: block; }
input[type=text], input[type=email], input[type=password], select { background: var(--card); border: 1px solid var(--control-edge); border-radius: 0.5rem; box-sizing: border-box; color: var(--text); font: inherit; margin-top: 0.25rem; min-height: 2.75rem; padding: 0.5rem 0.625rem; width: 100%; }
input[aria-invalid=true] { border: 2px solid var(--bad); }
fieldset { border: 0; margin: 1.5rem 0 0; padding: 0; }
.choice { align-items: start; display: flex; gap: 0.6rem; margin-top: 0.75rem; }
.choice label { font-weight: 400; }
.choice input { accent-color: var(--accent); flex: none; height: 1.25rem; margin: 0.15rem 0 0; width: 1.25rem; }
button { background: var(--card); border: 1px solid var(--control-edge); border-radius: 0.5rem; color: var(--text); cursor: pointer; font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0.5rem 1.25rem; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 1.75rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.hint { color: var(--muted); font-size: 0.875rem; font-weight: 400; margin: 0.25rem 0 0; }
.fault { color: var(--bad); font-weight: 600; margin: 0.25rem 0 0; }
.error, .warning { border-radius: 0.5rem; margin: 1rem 0; padding: 0.625rem 0.75rem; }
.error { background: var(--bad-soft); color: var(--bad); }
.error a { color: inherit; }
.warning { background: var(--warn-soft); border: 1px solid var(--warn); }
.error p, .warning p { margin: 0; }
.error ul { margin: 0; padding-left: 1.1rem; }
code, pre { background: var(--sunken); border-radius: 0.25rem; font: 0.9em/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
code { padding: 0.1rem 0.25rem; }
pre { margin: 0.5rem 0; padding: 0.6rem 0.75rem; white-space: pre-wrap; }
.aside { border-top: 1px solid var(--edge); margin-top: 1.5rem; padding-top: 0.5rem; }
dt { color: var(--muted); margin-top: 0.75rem; }
dd { font-weight: 600; margin: 0; }
@media (width < 30rem) { body { padding: 1.5rem 0.75rem 2rem; } main { padding: 1rem; } }
`;
