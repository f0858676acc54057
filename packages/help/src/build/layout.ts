import type { Group } from "./contents.ts";
import { escaped } from "./html.ts";
import type { Heading } from "./render-page.ts";

/** Addresses of the scripts and styles, as this build names them. */
export interface Assets {
	readonly style: string;
	/** Runs before anything is drawn. */
	readonly theme: string;
	readonly script: string;
	/** Index of the search. */
	readonly index: string;
}

/** Parts of a page. */
export interface PageParts {
	readonly path: string;
	readonly title: string;
	readonly html: string;
	readonly headings: readonly Heading[];
	readonly next?: { readonly path: string; readonly name: string } | undefined;
}

const mark =
	'<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--accent)"/><path d="M8 22v-6m5.5 6V12m5.5 10V9m5 13v-8" stroke="var(--on-accent)" stroke-width="3" stroke-linecap="round"/></svg>';

const search = `<dialog class="search" aria-label="Search the help">
<form method="dialog"><input type="search" aria-label="Search the help" placeholder="Search the help" autocomplete="off" spellcheck="false" enterkeyhint="go"><button type="button" data-close>Close</button></form>
<p class="said" role="status"></p>
<ol class="results"></ol>
</dialog>`;

/** A whole page. */
export function layout(parts: PageParts, groups: readonly Group[], assets: Assets): string {
	const title = parts.path === "" ? "Footfall help" : `${parts.title} · Footfall help`;
	return `<!doctype html>
<html lang="en" data-theme="auto">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.theme}"></script>
<script type="module" src="${assets.script}" data-index="${assets.index}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<a class="brand" href="/help">${mark}<span class="product">Footfall</span> <strong>Help</strong></a>
<button type="button" class="find" data-search hidden>Search <kbd>/</kbd></button>
<nav aria-label="Service"><a href="/">Dashboard</a><a href="/docs">API reference</a></nav>
</header>
<p class="only-spanish" lang="es">Estas páginas están solo en inglés.</p>
<div class="columns">
<nav class="contents" aria-label="Pages">${navigation(parts.path, groups)}</nav>
<main id="content" tabindex="-1">
<article>
${parts.html}</article>
${parts.next === undefined ? "" : `<p class="next">Next: <a href="/help/${parts.next.path}">${escaped(parts.next.name)}</a></p>`}
</main>
${onThisPage(parts.headings)}
</div>
${search}
</body>
</html>
`;
}

const navigation = (path: string, groups: readonly Group[]): string =>
	groups
		.map(({ title, entries }) => {
			const items = entries.map((entry) => {
				const isHere = entry.path === path;
				return `<li><a href="/help/${entry.path}"${isHere ? ' aria-current="page"' : ""}>${escaped(entry.name)}</a></li>`;
			});
			return `<h2>${escaped(title)}</h2><ul>${items.join("")}</ul>`;
		})
		.join("");

function onThisPage(headings: readonly Heading[]): string {
	const shown = headings.filter(({ depth }) => depth === 2 || depth === 3);
	if (shown.length < 3) return "";
	const items = shown.map(
		({ id, text, depth }) => `<li${depth === 3 ? ' class="deeper"' : ""}><a href="#${id}">${escaped(text)}</a></li>`,
	);
	return `<nav class="here" aria-label="On this page"><h2>On this page</h2><ul>${items.join("")}</ul></nav>`;
}

/** The page `/help`: all pages with their subjects. */
export const homeHtml = (groups: readonly Group[]): string =>
	`<h1>Help</h1>
<p>How Footfall is installed, read, connected and run. Press <kbd>/</kbd> to search.</p>
<div class="cards">${groups
		.map(
			({ title, entries }) =>
				`<section><h2>${escaped(title)}</h2><dl>${entries
					.map(
						({ path, name, about }) =>
							`<dt><a href="/help/${path}">${escaped(name)}</a></dt><dd>${escaped(about)}</dd>`,
					)
					.join("")}</dl></section>`,
		)
		.join("")}</div>
<p>The service describes its API to programs at <a href="/api/v1/openapi.json"><code>/api/v1/openapi.json</code></a>, and to people in the <a href="/docs">API reference</a>, where each operation can be tried.</p>
`;

/** Page for unknown addresses. */
export const missingHtml = `<h1>There is no such page</h1>
<p>It may have another name now. <a href="/help">All pages</a> stand in the help's table of contents, and <kbd>/</kbd> searches them.</p>
`;
