/** Where the snippet goes. */
export const places = ["html", "gtm", "wordpress", "next", "proxy"] as const;
export type Place = (typeof places)[number];

/** The tag that the API gives, and the address of the tracker within it. */
export interface Pixel {
	readonly script_tag: string;
	readonly tracker_url: string;
}

/** The tag, a line a script; with `hash` for pages whose routes are behind the `#`. */
function tagWith({ script_tag: tag, tracker_url: url }: Pixel, hash: boolean): string {
	const script = `src="${url}" defer${hash ? " data-hash" : ""}`;
	return tag.replace(`src="${url}" defer`, () => script).replace("</script><script", "</script>\n<script");
}

/** The two halves of a tag: the stub that takes calls before the tracker is there, and the tracker's attributes. */
function partsOf(tag: string): { readonly stub: string; readonly src: string; readonly hash: boolean } {
	const stub = /^<script>(.*?)<\/script>/s.exec(tag)?.[1] ?? "";
	const src = /src="([^"]*)"/.exec(tag)?.[1] ?? "";
	return { stub, src, hash: tag.includes("data-hash") };
}

const wordpress = (tag: string): string => `<?php
// functions.php of your child theme
add_action('wp_head', function () { ?>
${tag}
<?php });`;

function next(tag: string): string {
	const { stub, src, hash } = partsOf(tag);
	return `// app/layout.tsx
import Script from "next/script";

// inside <body>
<Script id="footfall-stub" strategy="beforeInteractive">{${JSON.stringify(stub)}}</Script>
<Script src="${src}" strategy="afterInteractive"${hash ? ' data-hash=""' : ""} />`;
}

/** Under the site's own name: the tracker sends to \`event\` beside its own address. */
function proxy(tag: string, url: string): string {
	const { origin, host } = new URL(url);
	const pass = (name: string) => `location = /ff/${name} {
    proxy_pass ${origin}/${name};
    proxy_set_header Host ${host};
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_ssl_server_name on;
}`;
	return `# nginx, in the server block of your site
${pass("t.js")}
${pass("event")}

${tag.replace(`${origin}/t.js`, "/ff/t.js")}`;
}

/** The text to paste at a place. */
export function snippet(place: Place, pixel: Pixel, hash: boolean): string {
	const tag = tagWith(pixel, hash);
	if (place === "wordpress") return wordpress(tag);
	if (place === "next") return next(tag);
	return place === "proxy" ? proxy(tag, pixel.tracker_url) : tag;
}
