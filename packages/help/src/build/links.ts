import { existsSync } from "node:fs";
import { posix } from "node:path";
import { root } from "./read-pages.ts";

/** Where a link of a page leads. */
export type Target =
	| { readonly kind: "address"; readonly href: string; readonly isOutside: boolean }
	/** A file of the checkout, which the service does not show. */
	| { readonly kind: "file"; readonly file: string }
	| { readonly kind: "dead" };

/** Files that the service shows elsewhere. */
const elsewhere: Readonly<Record<string, string>> = {
	"docs/openapi.json": "/api/v1/openapi.json",
	"docs/decisions": "/help/decisions",
};

/** Finds out where `href`, written in `file`, leads. `pages`: addresses of the pages by their files. */
export function targetOf(href: string, file: string, pages: ReadonlyMap<string, string>): Target {
	if (/^[a-z]+:/.test(href)) return { kind: "address", href, isOutside: true };
	// An address of the service itself.
	if (href.startsWith("/")) return { kind: "address", href, isOutside: false };
	const [path = "", anchor] = href.split("#", 2);
	const named = path === "" ? file : posix.join(posix.dirname(file), path).replace(/\/$/, "");
	const page = pages.get(named);
	const address = page === undefined ? elsewhere[named] : `/help/${page}`;
	if (address !== undefined)
		return { kind: "address", href: address + (anchor === undefined ? "" : `#${anchor}`), isOutside: false };
	return existsSync(root + named) ? { kind: "file", file: named } : { kind: "dead" };
}
