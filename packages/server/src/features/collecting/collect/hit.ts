import type { IncomingHttpHeaders } from "node:http";
import { originOf, type PageAddress } from "../../../analytics/attribution/page-address.ts";
import type { GoalMatcher, SiteFacts } from "../../tenancy/sites/index.ts";
import type { Payload } from "./payload.ts";
import type { SessionState } from "./sessions/session-store.ts";

/** Why a hit is rejected; every one is answered 204 and counted under its reason. */
export const rejectReasons = [
	"invalid_json",
	"invalid_account",
	"invalid_domain",
	"invalid_token",
	"other_currency",
	"blocklist_ip",
	"rate_limit",
	"quota_exceeded",
] as const;

export type RejectReason = (typeof rejectReasons)[number];

/** Why an accepted hit lost a part: a conversion counts with amount 0. */
export const LOST_AMOUNT = "invalid_amount";

export type NotedReason = RejectReason | typeof LOST_AMOUNT;

/** A hit as it arrived. The address lives in memory only and is written nowhere. */
export interface HitRequest {
	readonly body: string;
	/** True where the body is too long, and this is its beginning. */
	readonly isCut: boolean;
	readonly ip: string;
	readonly userAgent: string;
	readonly headers: IncomingHttpHeaders;
	readonly secure: boolean;
	/** Receipt, ms. */
	readonly receivedAt: number;
}

export interface SessionChange {
	readonly before: SessionState | undefined;
	readonly session: SessionState;
	readonly isEntrance: boolean;
	readonly isEngaging: boolean;
	readonly rejoined: boolean;
	/** Whole seconds since the session's hit before; 0 on its first one. */
	readonly secondsSince: number;
	readonly goals: readonly GoalMatcher[];
}

/** Whether a hit is safe: `kept` (counted, or kept for the bot statistics), `rejected`, or `unstored`: to be sent again. */
export type HitFate = "kept" | "rejected" | "unstored";

const none: readonly string[] = [];
const noneSeen: ReadonlySet<string> = new Set();
const noTimes: readonly number[] = [];

const notFound = (part: string) => new Error(`a step needs the ${part} of a hit, which no step before it has found`);

/** Stands for a part of a hit that no step has found yet: whatever is read of it throws. */
function notYet<Part extends object>(part: string): Part {
	const get = () => {
		throw notFound(part);
	};
	return new Proxy({} as Part, { get });
}

const noPayload = notYet<Payload>("payload");
const noSite = notYet<SiteFacts>("site");
const noPage = notYet<PageAddress>("page");

/** A hit on its way through the steps. A part that no step has set yet throws when it is read from, so that steps in a wrong order fail. */
export class Hit {
	readonly request: HitRequest;
	/** To be called once, when the hit's fate is certain. */
	readonly settle: (fate: HitFate) => void;
	/** By `decode`. */
	payload: Payload = noPayload;
	/** By `findSite`. */
	site: SiteFacts = noSite;
	/** By `checkOrigin`. */
	page: PageAddress = noPage;
	#visitor: number | undefined;
	/** By `touchSession`; undefined before, and on hits that do not count. */
	change: SessionChange | undefined;
	/** By `judgeAgent`. */
	score = 0;
	flags = 0;
	/** By `recallClickIds`: click ids of the address, and those of them that the site has seen lately. */
	clickIds = none;
	seenClickIds = noneSeen;
	/** By `rememberClickIds`: those that it noted. */
	notedClickIds = none;
	/** By `checkAmount`: the amount that counts, and whether that is 0 in place of one that cannot be read or is too large. */
	amount = 0;
	isAmountLost = false;
	/** By `stampTime`: the time under which it is stored, ms. */
	ts: number;
	/** By `stampTime`: the same for each goal that the hit reaches. */
	goalTimes: readonly number[] = noTimes;
	/** By `makeRows` and `noteBot`: its lines for the two tables, and their number. */
	events = "";
	botHits = "";
	rows = 0;

	constructor(request: HitRequest, settle: (fate: HitFate) => void) {
		this.request = request;
		this.settle = settle;
		this.ts = request.receivedAt;
	}

	/** By `identifyVisitor`: the visitor's id under today's salt. */
	get visitor(): number {
		if (this.#visitor === undefined) throw notFound("visitor");
		return this.#visitor;
	}

	set visitor(visitor: number) {
		this.#visitor = visitor;
	}

	/** Under whose name a refusal is counted: empty while no site is known. */
	get siteId(): string {
		return this.site === noSite ? "" : this.site.id;
	}

	/** Scheme, host and port of the page; empty while none is known. */
	get origin(): string {
		return this.page === noPage ? "" : originOf(this.page);
	}
}
