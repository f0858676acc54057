import type { Page } from "./browser.ts";

/**
 * Accessibility faults of the open page: elements without a name, broken references, missing landmarks, small targets,
 * and content wider than the window. Empty if there are none.
 */
export const pageFaults = (page: Page): Promise<string[]> => page.evaluate(findFaults);

/** Runs in the page. */
const findFaults = `(() => {
	const faults = [];
	const all = (selector) => [...document.querySelectorAll(selector)];
	const check = (isMet, fault) => { if (!isMet) faults.push(fault); };
	check(document.documentElement.lang === "en", "the language is not named");
	check(document.title.trim() !== "", "the window has no title");
	check(all("h1").length === 1, "there is not one heading of the first level");
	check(all("main").length === 1 && all("header").length === 1, "the landmarks are not one header and one main");
	check(all("main h1, main form").length === all("h1, form").length, "something stands outside of main");
	for (const element of all("input:not([type=hidden]), select")) {
		const labels = [...(element.labels ?? [])].map((label) => label.textContent.trim());
		check(labels.length === 1 && labels[0] !== "", element.id + " has not one label");
		check(element.type === "radio" || element.name === element.id, element.id + " has another name");
	}
	for (const element of all("fieldset")) check(element.querySelector("legend")?.textContent.trim(), "a group has no legend");
	for (const element of all("button, a")) check(element.textContent.trim() !== "", "a button or link has no text");
	for (const element of all("[aria-describedby]")) {
		for (const id of element.getAttribute("aria-describedby").split(" ")) {
			check(document.getElementById(id)?.textContent.trim(), element.id + " is described by nothing: " + id);
		}
	}
	for (const element of all("[aria-invalid=true]")) {
		check(element.getAttribute("aria-describedby")?.includes(element.id + "-fault"), element.id + " does not say its fault");
	}
	const ids = all("[id]").map(({ id }) => id);
	check(new Set(ids).size === ids.length, "an id stands twice");
	check(all("[tabindex], [accesskey]").length === 0, "the order of the focus is not that of the page");
	check(all("script, iframe, img, link, object, embed, body [style]").length === 0, "there is more than text and forms");
	check(all("*").every((element) => element.getAttributeNames().every((name) => !name.startsWith("on"))), "there is a handler");
	for (const element of all("input:not([type=hidden]):not([type=radio]):not([type=checkbox]), select, button")) {
		const { width, height } = element.getBoundingClientRect();
		check(width >= 44 && height >= 44, (element.id || element.textContent) + " is too small");
	}
	const { scrollWidth, clientWidth } = document.documentElement;
	check(scrollWidth <= clientWidth, "the page is " + scrollWidth + " wide in a window of " + clientWidth);
	return faults;
})()`;
