import type { IncomingHttpHeaders } from "node:http";
import type { PageAddress } from "../../../analytics/attribution/page-address.ts";
import type { SiteFacts } from "../../accounts/sites/index.ts";
import type { Payload } from "./payload.ts";
import type { SessionState } from "./sessions/session-state.ts";

/** A hit as it arrived. The address lives in memory only and is written nowhere. */
export interface HitRequest {
	readonly body: string;
	readonly ip: string;
	readonly userAgent: string;
	readonly headers: IncomingHttpHeaders;
	/** True when it came over https. */
	readonly secure: boolean;
	/** Receipt, ms. */
	readonly receivedAt: number;
}

/** What a hit did to its session. */
export interface SessionChange {
	/** The session with this hit. */
	readonly session: SessionState;
	/** True when this hit is the session's entrance. */
	readonly isEntrance: boolean;
	/** True when this hit made the session an engaged one. */
	readonly isEngaging: boolean;
	readonly rejoined: boolean;
	/** Whole seconds since the session's hit before; 0 on its first one. */
	readonly secondsSince: number;
}

/** A hit on its way through the steps; each step fills in what its comment names. */
export interface Hit {
	readonly request: HitRequest;
	/** By `decode`. */
	payload: Payload;
	/** By `findSite`; before, and where it finds none, a site without a name. */
	site: SiteFacts;
	/** By `checkOrigin`. */
	page: PageAddress;
	/** By `scoreAgent`. */
	score: number;
	flags: number;
	/** By `identifyVisitor`: the ids under the salts of today and of the day before. */
	visitor: number;
	previousVisitor: () => number | undefined;
	/** By `recallClickIds`: click ids of the address, and those of them that the site has seen lately. */
	clickIds: readonly string[];
	seenClickIds: ReadonlySet<string>;
	/** By `touchSession`. */
	change: SessionChange | undefined;
	/** By `stampTime`: the time under which it is stored, ms. */
	ts: number;
}

const noPayload: Payload = {
	siteId: "",
	token: "",
	url: "",
	referrer: "",
	zone: "",
	contentGroup: "",
	kind: "pageview",
	eventType: "",
	amount: 0,
	properties: {},
};
const noSite: SiteFacts = {
	id: "",
	organizationId: "",
	name: "",
	timezone: "UTC",
	isActive: false,
	botThreshold: 0,
	domains: [],
	utmMappings: [],
	blockedAddresses: undefined,
	lifetimeEventLimit: 0,
};
const noPage: PageAddress = { text: "", host: "", path: "/", query: "" };
const noClickIds: readonly string[] = [];
const noneSeen: ReadonlySet<string> = new Set();

/** A hit of which nothing but the request is known yet. */
export function newHit(request: HitRequest): Hit {
	return {
		request,
		payload: noPayload,
		site: noSite,
		page: noPage,
		score: 0,
		flags: 0,
		visitor: 0,
		previousVisitor: () => undefined,
		clickIds: noClickIds,
		seenClickIds: noneSeen,
		change: undefined,
		ts: request.receivedAt,
	};
}
