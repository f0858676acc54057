import MiniSearch from "minisearch";
import { type Found, find } from "../search/find.ts";
import { type Entry, indexOptions } from "../search/options.ts";
import { snippetOf } from "../search/snippet.ts";

function needed<T extends Element>(selector: string, type: new () => T): T {
	const found = document.querySelector(selector);
	if (!(found instanceof type)) throw new Error(`The page has no ${selector}`);
	return found;
}

const dialog = needed("dialog.search", HTMLDialogElement);
const input = needed("dialog.search input", HTMLInputElement);
const said = needed("dialog.search .said", HTMLElement);
const list = needed("dialog.search .results", HTMLOListElement);

let index: MiniSearch<Entry> | undefined;

/** Loads what is looked through, and answers what was typed meanwhile. */
export async function prepareSearch(): Promise<void> {
	if (index !== undefined) return;
	said.textContent = "Loading …";
	try {
		const response = await fetch(needed("script[data-index]", HTMLScriptElement).dataset["index"] ?? "");
		if (!response.ok) throw new Error(response.statusText);
		index = MiniSearch.loadJSON(await response.text(), indexOptions);
		show();
	} catch {
		said.textContent = "The search cannot be loaded: load the page again.";
	}
}

function show(): void {
	if (index === undefined) return;
	const question = input.value.trim();
	const found = question === "" ? [] : find(index, question);
	const count = found.length === 1 ? "1 section" : `${found.length} sections`;
	said.textContent = question === "" ? "" : found.length === 0 ? "Nothing found: try fewer or other words." : count;
	list.replaceChildren(...found.map(resultOf));
	list.scrollTop = 0;
}

function resultOf({ id, page, heading, text, terms }: Found): HTMLElement {
	const link = document.createElement("a");
	link.href = id;
	const title = document.createElement("strong");
	title.textContent = heading;
	const place = document.createElement("span");
	place.className = "place";
	place.textContent = page;
	const snippet = document.createElement("span");
	snippet.className = "snippet";
	for (const { text: part, isFound } of snippetOf(text, terms)) {
		const element = isFound ? document.createElement("mark") : document.createElement("span");
		element.textContent = part;
		snippet.append(element);
	}
	link.append(title, ...(page === heading ? [] : [place]), snippet);
	// The page may be this one: then nothing is loaded, and the search would stay.
	link.addEventListener("click", () => dialog.close());
	const item = document.createElement("li");
	item.append(link);
	return item;
}

/** Moves between the field and the results. */
function step(by: 1 | -1): void {
	const stops: HTMLElement[] = [input, ...list.querySelectorAll("a")];
	const here = stops.findIndex((stop) => stop.matches(":focus"));
	stops[Math.min(Math.max(here + by, 0), stops.length - 1)]?.focus();
}

input.addEventListener("input", show);
needed("dialog.search form", HTMLFormElement).addEventListener("submit", (event) => {
	event.preventDefault();
	list.querySelector("a")?.click();
});
needed("dialog.search [data-close]", HTMLButtonElement).addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => {
	if (event.target === dialog) dialog.close();
});
dialog.addEventListener("keydown", (event) => {
	// A field for searching would be emptied first.
	if (event.key === "Escape") {
		event.preventDefault();
		dialog.close();
	}
	if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
	event.preventDefault();
	step(event.key === "ArrowDown" ? 1 : -1);
});
