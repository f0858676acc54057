import type { Principal } from "./principal.ts";

/** The session of somebody in front of a page. */
export type BrowserSession = Extract<Principal, { kind: "session" }>;

/** The session that a cookie shows; undefined for every other credential, for no page is opened with one. */
export const browserSession = (principal: Principal): BrowserSession | undefined =>
	principal.kind === "session" && principal.viaCookie ? principal : undefined;
