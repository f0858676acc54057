import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page } from "../../../server/test/support/browser.ts";

const source = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** The faults that axe finds (WCAG 2.2 A and AA, and its best practices), as sentences. The page's CSP has to be bypassed. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
	// It stays until the page is loaded anew.
	if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(source);
	const { violations } = await page.evaluate(async () => {
		// Observers of sizes say at the end of a frame which parts scroll, and make those stops of the Tab key.
		for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
		return (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }).axe.run(
			// Passed rules are left out; an element's own text finds it as well as its selector, which takes long to make.
			{ resultTypes: ["violations"], selectors: false },
		);
	});
	return violations.map(({ id, help, nodes }) => {
		const first = nodes[0];
		return `${id}: ${help} (${nodes.length}) ${first?.html.slice(0, 200)}`;
	});
}
