import { Readable } from "node:stream";
import type { Caller } from "../../../access/index.ts";
import {
	ACTIVE_MINUTES,
	type LiveFigures,
	type LiveHit,
	type LiveRow,
} from "../../../analytics/query/reports/live-figures.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { statusOf } from "../../../platform/http/status-of.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { NewHits } from "./live-board.ts";

const moment = (ms: number): string => new Date(ms).toISOString();

const rows = <Name extends string>(name: Name, list: readonly LiveRow[]) =>
	list.map(({ label, visits }) => ({ [name]: label, active_visits: visits }) as Record<Name, string> & Visits);

interface Visits {
	active_visits: number;
}

export const presentFigures = (figures: LiveFigures) => ({
	now: { active_visits: figures.activeVisits, window_minutes: ACTIVE_MINUTES },
	minutes: figures.minutes.map(({ at, pageViews, entrances }) => ({
		at: moment(at),
		page_views: pageViews,
		entrances,
	})),
	pages: rows("path", figures.pages),
	sources: rows("source", figures.sources),
	countries: rows("country", figures.countries),
	devices: rows("device", figures.devices),
});

/** One hit, without whose it is. */
const presentHit = ({ at, kind, path, country, device, source, eventType, amount }: LiveHit) => ({
	at: moment(at),
	kind,
	path,
	country,
	device,
	source,
	...(kind !== "pageview" && { event_type: eventType }),
	...(kind === "conversion" && { amount }),
});

const KEEP_ALIVE_MS = 15_000;
const CHECK_MS = MINUTE_MS;
/** Milliseconds after which a browser comes back. */
const RETRY_MS = 3000;
/** Most unread bytes of a reader; beyond it hits are skipped until it has caught up. */
const MOST_WAITING = 64 * 1024;

type EndReason = "token" | "access" | "unavailable" | "shutdown";

interface LiveStreamOptions {
	readonly now: number;
	/** Executes the guard again. */
	readonly checkAgain: () => Promise<Pick<Caller, "endsAt">>;
	/** When the credential ends. */
	readonly endsAt: number | null;
}

/** Events sent to one watcher. */
export class LiveStream {
	/** The body of the answer. */
	readonly body = new Readable({ read: () => undefined });
	readonly #checkAgain: LiveStreamOptions["checkAgain"];
	#checkAt: number;
	#keepAliveAt: number;
	#isChecking = false;
	#hasEnded = false;
	#skipped = 0;
	#activeVisits: number | undefined;

	constructor({ now, checkAgain, endsAt }: LiveStreamOptions) {
		this.#checkAgain = checkAgain;
		this.#checkAt = nextCheck(now, endsAt);
		this.#keepAliveAt = now + KEEP_ALIVE_MS;
		this.#send(`retry: ${RETRY_MS}\n\n`);
	}

	/** Tells what a question answered. */
	tell({ activeVisits }: Pick<LiveFigures, "activeVisits">, { told, skipped }: NewHits): void {
		this.#skipped += skipped;
		if (this.#isBehind) {
			this.#skipped += told.length;
			return;
		}
		if (activeVisits !== this.#activeVisits) this.#event("now", { active_visits: activeVisits });
		this.#activeVisits = activeVisits;
		if (told.length > 0) this.#event("hits", told.map(presentHit));
		if (this.#skipped > 0) this.#event("skipped", { count: this.#skipped });
		this.#skipped = 0;
	}

	/** Keeps the connection open, and ends it when the guard refuses its reader by now; to be called every second. */
	tick(now: number): void {
		if (now >= this.#keepAliveAt) {
			this.#keepAliveAt = now + KEEP_ALIVE_MS;
			if (!this.#isBehind) this.#send(": keep-alive\n\n");
		}
		if (now < this.#checkAt) return;
		if (this.#isChecking) {
			// If access cannot be checked, the stream ends.
			if (now >= this.#checkAt + CHECK_MS) this.end("unavailable");
			return;
		}
		this.#isChecking = true;
		this.#checkAgain().then(
			({ endsAt }) => {
				this.#checkAt = nextCheck(now, endsAt);
				this.#isChecking = false;
			},
			(refusal: unknown) => this.end(reasonOf(refusal)),
		);
	}

	/** Says why it ends; a reader who is far behind is left without a word. */
	end(reason: EndReason): void {
		if (this.#hasEnded) return;
		const isBehind = this.#isBehind;
		this.#event("end", { reason });
		this.#hasEnded = true;
		if (isBehind) this.body.destroy();
		else this.body.push(null);
	}

	get #isBehind(): boolean {
		return this.body.readableLength > MOST_WAITING;
	}

	#event(name: string, data: unknown): void {
		this.#send(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
	}

	#send(text: string): void {
		if (!this.#hasEnded && !this.body.destroyed) this.body.push(text);
	}
}

const nextCheck = (now: number, endsAt: number | null): number => Math.min(now + CHECK_MS, endsAt ?? Infinity);

/** With `token` a client shows another credential and comes back; with `access` there is no use in that. */
function reasonOf(refusal: unknown): EndReason {
	if (!(refusal instanceof ServiceError) || refusal.isOurs) return "unavailable";
	return statusOf(refusal.code) === 401 ? "token" : "access";
}
