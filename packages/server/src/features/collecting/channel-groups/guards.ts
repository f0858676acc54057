import { type Guard, writingAccount } from "../../../access/index.ts";

const site = { kind: "site", siteFrom: "account" } as const;

/** Reads: any role, or a key with `sites:read`. */
export const reading: Guard = { ...site, keyScope: "sites:read", oauth: "admitted", role: "viewer", write: false };

/** Figures: a key for reports opens them too. */
export const readingFigures: Guard = {
	...site,
	keyScope: ["sites:read", "stats:read"],
	oauth: "admitted",
	role: "viewer",
	write: false,
};

/** Writes: a session whose user is an editor of the site. */
export const writing = writingAccount("editor");
