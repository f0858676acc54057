/** The colours of pages, by the scheme that the reader prefers. */
export const palettes = {
	light: {
		ground: "#ffffff",
		text: "#1b1f24",
		muted: "#57606a",
		edge: "#6e7781",
		accent: "#0b57a4",
		"on-accent": "#ffffff",
		error: "#9f1c14",
		"error-ground": "#fdeceb",
		warning: "#4a3500",
		"warning-ground": "#fff4d6",
		"code-ground": "#f2f4f6",
	},
	dark: {
		ground: "#14181d",
		text: "#e8eaed",
		muted: "#a9b1ba",
		edge: "#8b949e",
		accent: "#8ab4f8",
		"on-accent": "#0b1a2e",
		error: "#ffb4ab",
		"error-ground": "#3a1512",
		warning: "#ffe08a",
		"warning-ground": "#33290a",
		"code-ground": "#20262d",
	},
} as const;

type Colour = keyof typeof palettes.light;

/** Which colours stand on which, and the contrast that WCAG 2.2 asks of them: 4.5 for text, 3 for edges. */
export const colourPairs: readonly (readonly [on: Colour, ground: Colour, contrast: number])[] = [
	["text", "ground", 4.5],
	["muted", "ground", 4.5],
	["accent", "ground", 4.5],
	["on-accent", "accent", 4.5],
	["error", "ground", 4.5],
	["error", "error-ground", 4.5],
	["warning", "warning-ground", 4.5],
	["text", "warning-ground", 4.5],
	["text", "code-ground", 4.5],
	["edge", "ground", 3],
];

const variables = (scheme: keyof typeof palettes): string =>
	Object.entries(palettes[scheme])
		.map(([name, value]) => `--${name}: ${value};`)
		.join(" ");

/** The one style sheet of all pages. Sizes follow the reader's font size, and nothing is wider than the window. */
export const pageStyle = `
:root { color-scheme: light dark; font: 1.05rem/1.5 system-ui, sans-serif; ${variables("light")} }
@media (prefers-color-scheme: dark) { :root { ${variables("dark")} } }
body { background: var(--ground); color: var(--text); margin: 0 auto; max-width: 28rem; overflow-wrap: anywhere; padding: 2rem 1.25rem 3rem; }
.service { color: var(--muted); font-weight: 600; margin: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0.5rem 0 1rem; }
h2 { font-size: 1.1rem; margin: 1.75rem 0 0.5rem; }
a { color: var(--accent); }
label, legend { font-weight: 600; padding: 0; }
.field { margin-top: 1.25rem; }
.field label { display: block; }
input[type=text], input[type=email], input[type=password], select { background: var(--ground); border: 1px solid var(--edge); border-radius: 0.3rem; box-sizing: border-box; color: var(--text); font: inherit; margin-top: 0.25rem; min-height: 2.75rem; padding: 0.5rem 0.6rem; width: 100%; }
input[aria-invalid=true] { border: 2px solid var(--error); }
fieldset { border: 0; margin: 1.5rem 0 0; padding: 0; }
.choice { align-items: start; display: flex; gap: 0.6rem; margin-top: 0.75rem; }
.choice label { font-weight: 400; }
.choice input { accent-color: var(--accent); flex: none; height: 1.25rem; margin: 0.15rem 0 0; width: 1.25rem; }
button { background: var(--ground); border: 1px solid var(--edge); border-radius: 0.3rem; color: var(--text); cursor: pointer; font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0.5rem 1.25rem; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 1.75rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.hint { color: var(--muted); font-weight: 400; margin: 0.25rem 0 0; }
.fault { color: var(--error); font-weight: 600; margin: 0.25rem 0 0; }
.error, .warning { border-left: 0.3rem solid; margin: 1rem 0; padding: 0.5rem 0.75rem; }
.error { background: var(--error-ground); color: var(--error); }
.error a { color: inherit; }
.warning { background: var(--warning-ground); border-color: var(--warning); }
.error p, .warning p { margin: 0; }
.error ul { margin: 0; padding-left: 1.1rem; }
code, pre { background: var(--code-ground); border-radius: 0.3rem; font: 0.9em/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
code { padding: 0.1rem 0.25rem; }
pre { margin: 0.5rem 0; padding: 0.6rem 0.75rem; white-space: pre-wrap; }
.aside { border-top: 1px solid var(--edge); margin-top: 2rem; padding-top: 0.5rem; }
dt { color: var(--muted); margin-top: 0.75rem; }
dd { font-weight: 600; margin: 0; }
`;
