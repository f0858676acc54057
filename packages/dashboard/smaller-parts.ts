import { minify } from "@swc/core";
import type { Plugin } from "vite";

/**
 * Writes values of objects that nothing changes where they are used, before the names become short: of a style sheet's names
 * those in use remain, which is a kilobyte of the first files. The libraries have none, and grow by it.
 */
export const smallerParts = (): Plugin => ({
	name: "smaller-parts",
	apply: "build",
	renderChunk: {
		order: "post",
		async handler(code, { name }) {
			if (name === "vendor") return null;
			const compress = { toplevel: true, passes: 3, ecma: 2020 as const };
			const { code: smaller } = await minify(code, { compress, mangle: false, module: true, ecma: 2020 });
			return { code: smaller, map: null };
		},
	},
});
