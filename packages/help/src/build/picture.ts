import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { extname, posix } from "node:path";
import { escaped } from "./html.ts";
import { root } from "./read-pages.ts";

/** A picture that is served beside the pages. */
export interface Picture {
	readonly name: string;
	readonly body: Buffer;
}

/** A picture as it stands in a page: photographs as files, drawings within it. */
export function pictureOf(
	href: string,
	file: string,
	alt: string,
): { readonly html: string; readonly files: readonly Picture[] } {
	const body = readFileSync(root + posix.join(posix.dirname(file), href));
	if (href.endsWith(".svg")) return { html: drawn(body.toString(), alt), files: [] };
	const name = `${createHash("sha256").update(body).digest("hex").slice(0, 10)}${extname(href)}`;
	// A PNG says its size in its first bytes: so the text below keeps its place.
	const [width, height] = [body.readUInt32BE(16), body.readUInt32BE(20)];
	const size = `width="${width}" height="${height}" loading="lazy"`;
	return {
		html: `<img class="picture" src="/help/assets/${name}" alt="${escaped(alt)}" ${size}>`,
		files: [{ name, body }],
	};
}

/** A drawing in the colours of the page: its own style sheet stays behind. In a small window it scrolls. */
function drawn(svg: string, alt: string): string {
	const bare = svg
		.replace(/<style>[\s\S]*?<\/style>/, "")
		.replace(/<svg\b[^>]*?(viewBox="[^"]*")[^>]*>/, `<svg role="img" aria-label="${escaped(alt)}" $1>`);
	return `<div class="diagram scroll">${bare.trim()}</div>`;
}
