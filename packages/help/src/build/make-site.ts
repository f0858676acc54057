import MiniSearch from "minisearch";
import { type Entry, indexOptions } from "../search/options.ts";
import { contents, type Group } from "./contents.ts";
import { escaped } from "./html.ts";
import { type Assets, homeHtml, layout, missingHtml } from "./layout.ts";
import type { Picture } from "./picture.ts";
import { readPages } from "./read-pages.ts";
import { type Rendered, renderPage } from "./render-page.ts";

/** All pages with what is in them, before they are laid out. */
export interface Site {
	readonly pages: readonly Rendered[];
	readonly groups: readonly Group[];
	readonly pictures: readonly Picture[];
	/** Index of the search, as JSON. */
	readonly index: string;
}

/** Renders every page. */
export function makeSite(): Site {
	const sources = readPages();
	const byFile = new Map(sources.map(({ file, path }) => [file, path]));
	const pages = sources.map((source) => renderPage(source, byFile));
	return { pages, groups: groupsOf(pages), pictures: pages.flatMap(({ pictures }) => pictures), index: indexOf(pages) };
}

/** The table of contents, with what it does not name at its end. */
function groupsOf(pages: readonly Rendered[]): readonly Group[] {
	const there = new Set([...pages.map(({ path }) => path), "decisions"]);
	const named = new Set(contents.flatMap(({ entries }) => entries.map(({ path }) => path)));
	const others = pages
		.filter(({ path }) => !named.has(path) && !path.startsWith("decisions/"))
		.map(({ path, title }) => ({ path, name: title, about: "" }));
	const groups = contents.map((group) => ({ ...group, entries: group.entries.filter(({ path }) => there.has(path)) }));
	return others.length === 0 ? groups : [...groups, { title: "More", entries: others }];
}

function indexOf(pages: readonly Rendered[]): string {
	const index = new MiniSearch<Entry>(indexOptions);
	for (const { path, title, sections } of pages)
		for (const { id, heading, text } of sections)
			index.add({ id: `/help/${path}${id === "" ? "" : `#${id}`}`, page: title, heading, text });
	return JSON.stringify(index);
}

/** Every page as it goes out, by its path; that of `/help` has none, and `404` stands where no page is. */
export function laidOut({ pages, groups }: Site, assets: Assets): ReadonlyMap<string, string> {
	const order = groups.flatMap(({ entries }) => entries);
	const page = ({ path, title, html, headings }: Rendered): [string, string] => {
		const here = order.findIndex((entry) => entry.path === path);
		const next = here < 0 ? undefined : order[here + 1];
		return [path, layout({ path, title, html, headings, next }, groups, assets)];
	};
	const own = { headings: [] };
	return new Map([
		...pages.map(page),
		[
			"decisions",
			layout({ ...own, path: "decisions", title: "Decisions", html: decisionsHtml(pages) }, groups, assets),
		],
		["", layout({ ...own, path: "", title: "Help", html: homeHtml(groups) }, groups, assets)],
		["404", layout({ ...own, path: "404", title: "No such page", html: missingHtml }, groups, assets)],
	]);
}

const decisionsHtml = (pages: readonly Rendered[]): string =>
	`<h1>Decisions</h1>
<p>Choices that would surprise a reader of the code, each with what else there was and what it costs.</p>
<ul>${pages
		.filter(({ path }) => path.startsWith("decisions/"))
		.map(({ path, title }) => `<li><a href="/help/${path}">${escaped(title)}</a></li>`)
		.join("")}</ul>
`;
