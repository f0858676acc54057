import type { Footfall, load as Load } from "../footfall.d.ts";

/** As many calls as the call stub of the script tag keeps. */
const MAX_WAITING = 100;

// Code that is rendered on a server imports this too, where there is no page. An element with this id or another script's
// value is found under the name too, and the page may have fixed it.
if (typeof window !== "undefined" && !(typeof window.footfall === "function" && "conv" in window.footfall)) {
	Reflect.set(window, "footfall", stub());
}

/** Keeps calls until the script is there; those of a page whose script is blocked go nowhere. */
function stub(): Footfall {
	const q: [string, unknown[]][] = [];
	const keep =
		(marker: string) =>
		(...input: unknown[]) => {
			if (q.length < MAX_WAITING) q.push([marker, input]);
		};
	return Object.assign(keep("pv"), { conv: keep("cv"), micro: keep("mc"), q }) as Footfall;
}

export const load: typeof Load = ({ src, hash }) => {
	if (typeof window === "undefined") return;
	const tag = document.createElement("script");
	tag.src = src;
	if (hash) tag.dataset["hash"] = "";
	document.head.append(tag);
};
