import assert from "node:assert/strict";
import type { Page } from "../../../server/test/support/browser.ts";
import { settled } from "./open-dashboard.ts";

/** Gives the window a width, and waits until the page and what it then knows of its parts, such as which of them scroll, are drawn. */
async function resize(page: Page, width: number): Promise<void> {
	await page.setViewportSize({ width, height: 900 });
	await page.evaluate(async () => {
		for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
	});
	await settled(page);
}

/** Fails where something overflows, overlaps or is cut in a window of one of these widths; `about` says of what page. */
export async function fits(page: Page, widths: readonly number[], about = ""): Promise<void> {
	for (const width of widths) {
		if (page.viewportSize()?.width !== width) await resize(page, width);
		assert.deepEqual(await geometryFaults(page), [], `${width} px ${about}`);
	}
}

/** Layout faults of a page, as sentences: overflow, clipped or overlapping texts, small targets. */
const geometryFaults = (page: Page, leastTarget = 24): Promise<readonly string[]> =>
	page.evaluate(findFaults, leastTarget);

/** Makes every word 40 % longer, as other languages are; answers how to take that back. */
export async function lengthenTexts(page: Page): Promise<() => Promise<void>> {
	const short = await page.evaluateHandle(() => {
		const short: [Text, string][] = [];
		const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		const nodes: Text[] = [];
		while (walker.nextNode()) nodes.push(walker.currentNode as Text);
		for (const node of nodes) {
			if (node.parentElement?.closest("script, style, option, [data-figure]") || !/\p{L}{3}/u.test(node.data)) continue;
			short.push([node, node.data]);
			node.data = node.data.replaceAll(/\p{L}{3,}/gu, (word) => word + word.slice(0, Math.ceil(word.length * 0.4)));
		}
		return short;
	});
	return () =>
		short.evaluate((texts) => {
			for (const [node, data] of texts) node.data = data;
		});
}

interface Box {
	readonly left: number;
	readonly right: number;
	readonly top: number;
	readonly bottom: number;
}

/** Runs in the page, so it can use nothing from outside. */
function findFaults(leastTarget: number): string[] {
	const faults: string[] = [];
	const nameOf = (element: Element) => {
		const text = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40);
		return `<${element.localName}${element.className && typeof element.className === "string" ? `.${element.className.split(" ")[0]}` : ""}> "${text}"`;
	};
	const isSeen = (element: Element) => {
		const box = element.getBoundingClientRect();
		if (box.width < 2 || box.height < 2) return false;
		return (
			element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
			!element.closest(".visually-hidden")
		);
	};
	if (document.documentElement.scrollWidth > innerWidth) {
		const wide = [...document.body.querySelectorAll("*")].filter(
			(element) => isSeen(element) && element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element),
		);
		faults.push(`wider than the window: ${wide.slice(-3).map(nameOf).join(", ")}`);
	}
	function scrolls(element: Element): boolean {
		for (let up: Element | null = element.parentElement; up !== null; up = up.parentElement)
			if (getComputedStyle(up).overflowX !== "visible") return true;
		return false;
	}
	/** The part of a text that those around it let through. */
	function seenPart(element: Element, box: Box): Box {
		let { left, right, top, bottom } = box;
		for (let up: Element | null = element; up !== null; up = up.parentElement) {
			if (getComputedStyle(up).overflowX === "visible") continue;
			const around = up.getBoundingClientRect();
			[left, top] = [Math.max(left, around.left), Math.max(top, around.top)];
			[right, bottom] = [Math.min(right, around.right), Math.min(bottom, around.bottom)];
		}
		return { left, right, top, bottom };
	}
	const texts: { element: Element; box: Box }[] = [];
	for (const element of document.body.querySelectorAll("*")) {
		if (!isSeen(element)) continue;
		const own = [...element.childNodes].some((node) => node.nodeType === 3 && (node as Text).data.trim() !== "");
		const style = getComputedStyle(element);
		if (
			own &&
			style.overflowX === "hidden" &&
			element.scrollWidth > element.clientWidth + 1 &&
			!element.closest("[title]")
		)
			faults.push(`cut without a title: ${nameOf(element)}`);
		if (own && element.localName !== "option" && !element.closest("select")) {
			const range = document.createRange();
			range.selectNodeContents(element);
			for (const box of range.getClientRects()) texts.push({ element, box: seenPart(element, box) });
		}
		if (element.matches("button, a[href], select, input:not([type=hidden]), summary, [role=tab]")) {
			// A click on the label around a box or a button of a choice is one on it.
			const label = element.matches("[type=checkbox], [type=radio]") ? element.closest("label") : null;
			const box = (label ?? element).getBoundingClientRect();
			const isInText = element.localName === "a" && style.display === "inline";
			if (!isInText && (box.height < leastTarget - 0.5 || box.width < leastTarget - 0.5))
				faults.push(`target of ${Math.round(box.width)} x ${Math.round(box.height)}: ${nameOf(element)}`);
		}
	}
	const layer = (element: Element) => element.closest("dialog, [popover], [data-layer]");
	const isLaidOver = (element: Element) => {
		for (let up: Element | null = element; up !== null; up = up.parentElement)
			if (["fixed", "sticky"].includes(getComputedStyle(up).position)) return true;
		return false;
	};
	const plain = texts.filter(({ element }) => !isLaidOver(element));
	plain.sort((one, other) => one.box.top - other.box.top);
	for (const [at, one] of plain.entries()) {
		for (let next = at + 1; next < plain.length; next++) {
			const other = plain[next];
			// From here on all begin below this one.
			if (other === undefined || other.box.top > one.box.bottom) break;
			const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
			const height = Math.min(one.box.bottom, other.box.bottom) - other.box.top;
			if (width <= 2 || height <= 4) continue;
			if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
			if (layer(one.element) === layer(other.element))
				faults.push(`over each other: ${nameOf(one.element)} and ${nameOf(other.element)}`);
		}
	}
	return [...new Set(faults)].slice(0, 12);
}
