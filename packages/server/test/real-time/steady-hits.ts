import { EventEmitter, once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { sendHit } from "../support/hits.ts";

/** A site at the address of a service, which has this secret. */
interface Target {
	readonly address: string;
	readonly secretKey: string;
	readonly site: string;
}

/** Sends hits in real time, each of its own visitor and its own page below a prefix, until told to stop. */
export function steadyHits({ address, secretKey, site }: Target, prefix: string) {
	/** Paths of those that were answered. */
	const taken: string[] = [];
	const counted = new EventEmitter();
	const ending = new AbortController();
	const service = { address: async () => address, config: { secretKey }, clock: systemClock };
	const sending = (async () => {
		for (let n = 0; !ending.signal.aborted; n++) {
			const path = `/${prefix}-${n}`;
			const hit = { site, url: `https://shop.example${path}`, ip: `198.51.${Math.floor(n / 250)}.${n % 250}` };
			// While the service starts again nobody listens.
			if ((await sendHit(service, hit).catch(() => 0)) === 204) taken.push(path);
			counted.emit("hit");
			await pause(10);
		}
	})();
	return {
		taken,
		stop: async () => {
			ending.abort();
			await sending;
		},
		/** Resolves when so many more were taken. */
		more: async (count: number) => {
			const before = taken.length;
			while (taken.length < before + count) await once(counted, "hit");
		},
	};
}
