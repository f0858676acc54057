import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import MiniSearch from "minisearch";
import { laidOut, makeSite } from "../src/build/make-site.ts";
import { find } from "../src/search/find.ts";
import { type Entry, indexOptions } from "../src/search/options.ts";
import { snippetOf } from "../src/search/snippet.ts";

const site = makeSite();
const assets = {
	style: "/help/assets/s.css",
	theme: "/help/assets/t.js",
	script: "/help/assets/h.js",
	index: "/help/assets/i.json",
};
const pages = laidOut(site, assets);
const index = MiniSearch.loadJSON<Entry>(site.index, indexOptions);
const docs = (folder: string) => readdirSync(new URL(`../../../docs/${folder}`, import.meta.url));

test("every document and decision is a page, and every document stands in the table of contents", () => {
	const names = docs("").filter((name) => name.endsWith(".md"));
	const listed = site.groups.flatMap(({ entries }) => entries.map(({ path }) => path));
	for (const name of names) {
		assert.ok(pages.has(name.slice(0, -3)), name);
		assert.ok(listed.includes(name.slice(0, -3)), name);
	}
	for (const name of docs("decisions")) assert.ok(pages.has(`decisions/${name.slice(0, -3)}`), name);
	assert.equal(new Set(listed).size, listed.length);
	assert.deepEqual(
		listed.filter((path) => !pages.has(path)),
		[],
	);
});

test("no link of a page is dead, to another page, to a place in it, or to a file of the sources", () => {
	const dead = site.pages.flatMap(({ file, dead }) => dead.map((href) => `${file}: ${href}`));
	for (const [path, html] of pages) {
		for (const [, address = ""] of html.matchAll(/href="(\/help[^"]*|#[^"]*)"/g)) {
			const [page = "", anchor] = address.split("#", 2);
			const target = page === "" ? path : page.replace(/^\/help\/?/, "");
			if (target.startsWith("assets/")) continue;
			const found = pages.get(target);
			if (found === undefined || (anchor !== undefined && !found.includes(` id="${anchor}"`)))
				dead.push(`${path}: ${address}`);
		}
	}
	assert.deepEqual(dead, []);
});

test("pages have no script or style of their own and ask nobody else", () => {
	for (const [path, html] of pages) {
		assert.doesNotMatch(html, /<style|\sstyle="|\son[a-z]+="|<script(?! (type="module" )?src="\/help\/assets\/)/, path);
		for (const [, source = ""] of html.matchAll(/<(?:img|script|link)[^>]*?(?:src|href)="([^"]*)"/g))
			assert.match(source, /^\/(help\/assets\/|favicon\.ico$)/, path);
	}
});

test("a page has one title, and headings that are told apart", () => {
	for (const { path, headings } of site.pages) {
		assert.equal(headings.filter(({ depth }) => depth === 1).length, 1, path);
		assert.equal(new Set(headings.map(({ id }) => id)).size, headings.length, path);
	}
});

test("code is shown as it is written, with its parts told apart", () => {
	assert.match(pages.get("webhooks") ?? "", /<span class="hljs-keyword">def<\/span>/);
	assert.match(pages.get("tracker") ?? "", /&lt;<span class="hljs-name">script<\/span>/);
});

test("drawings stand in the page, with a name and in its colours", () => {
	for (const path of ["architecture", "imports"]) {
		const svg =
			/<div class="diagram scroll"><svg role="img" aria-label="[^"]{40,}" viewBox="[^"]*">[\s\S]*?<\/svg>/.exec(
				pages.get(path) ?? "",
			)?.[0];
		assert.ok(svg?.includes('class="box"'), path);
	}
	assert.match(
		pages.get("dashboard") ?? "",
		/<img class="picture" src="\/help\/assets\/[0-9a-f]{10}\.png" alt="[^"]+" width="\d+"/,
	);
	assert.equal(site.pictures.length, 1);
});

/** Address of the first section that is found. */
const first = (question: string) => find(index, question)[0]?.id;

test("the search finds what a reader means first", () => {
	const questions = {
		"verifying a request": "/help/webhooks#verifying-a-request",
		"access logs": "/help/imports#access-logs",
		"second factor": "/help/api#second-factor",
		bounce_rate: "/help/metrics#rates",
		webhook: "/help/webhooks",
		attributoin: "/help/attribution",
		instal: "/help/install",
	};
	const found = Object.keys(questions).map((question) => [question, first(question)]);
	assert.deepEqual(Object.fromEntries(found), questions);
});

test("words that stand nowhere together find sections with some of them, and words of nobody find nothing", () => {
	assert.ok(find(index, "webhook xyzzyplugh").length > 0);
	assert.deepEqual(find(index, "xyzzyplugh"), []);
	assert.deepEqual(find(index, '"<>'), []);
});

test("a result shows the text around the word, with the word told apart", () => {
	const text = `${"before ".repeat(30)}the Größe_x of it${" after".repeat(40)}`;
	const pieces = snippetOf(text, ["größe_x"]);
	assert.deepEqual(
		pieces.filter(({ isFound }) => isFound).map(({ text: word }) => word),
		["Größe_x"],
	);
	const shown = pieces.map(({ text: piece }) => piece).join("");
	assert.match(shown, /^… .*before the Größe_x of it after.* …$/);
	assert.ok(shown.length < 180);
	assert.deepEqual(snippetOf("short", []), [{ text: "short", isFound: false }]);
	assert.deepEqual(
		snippetOf("a (b) c", ["(b)"]).map(({ isFound }) => isFound),
		[false, true, false],
	);
});
