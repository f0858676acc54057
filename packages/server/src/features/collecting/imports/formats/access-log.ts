import type { ImportFormat } from "./format.ts";

/** Access logs of web servers. */
export const accessLog: ImportFormat = {
	source: "access_log",
	check: async () => undefined,
	async *read() {
		yield [];
	},
};
