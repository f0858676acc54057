import { hash, randomBytes } from "node:crypto";
import { DAY_MS } from "../../../platform/lib/durations.ts";

/** Hits that are looked at together, and after how many of them they are judged. */
const WINDOW = 1000;
const ENOUGH = 100;
/** More user agents than a household has. */
const MANY_AGENTS = 5;
const ALMOST_ALL = 0.9;

/** Detects that almost all hits share a few addresses, as behind a proxy that hides them. Holds digests of addresses, a day at most. */
export class SharedAddresses {
	#key = "";
	#since = 0;
	#hits = 0;
	#addresses = new Map<string, { hits: number; readonly agents: Set<string> }>();
	/** True when almost all hits so far have one address, or a few. */
	isShared = false;
	#toldAt = Number.NEGATIVE_INFINITY;

	/** Notes a hit of a visitor; true when it shows this, once a day. */
	note(ip: string, userAgent: string, now: number): boolean {
		if (this.#hits === 0 || this.#hits === WINDOW || now - this.#since > DAY_MS) this.#begin(now);
		const digest = hash("sha256", `${this.#key}\n${ip}`);
		const address = this.#addresses.get(digest) ?? { hits: 0, agents: new Set() };
		this.#addresses.set(digest, address);
		address.hits++;
		if (address.agents.size < MANY_AGENTS) address.agents.add(userAgent.slice(0, 200));
		this.#hits++;
		if (this.#hits % ENOUGH !== 0) return false;
		const shared = this.#addresses.values().filter(({ agents }) => agents.size === MANY_AGENTS);
		this.isShared = shared.reduce((sum, { hits }) => sum + hits, 0) >= this.#hits * ALMOST_ALL;
		if (!this.isShared || now - this.#toldAt < DAY_MS) return false;
		this.#toldAt = now;
		return true;
	}

	#begin(now: number): void {
		this.#key = randomBytes(16).toString("base64");
		this.#since = now;
		this.#hits = 0;
		this.#addresses = new Map();
	}
}
