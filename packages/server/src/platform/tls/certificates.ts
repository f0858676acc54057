import type { Cancel, Clock } from "../lib/clock.ts";
import type { CertificatePair } from "./certificate-pair.ts";

/** The certificate that a TLS server of this process shows, wherever it comes from. */
export interface Certificates {
	/** Undefined while an authority has not issued the first one. */
	current(): CertificatePair | undefined;
	/** Tells of each new one. */
	onChange(listener: (pair: CertificatePair) => void): void;
	/** Answer to an authority at `/.well-known/acme-challenge/{token}`; undefined for an unknown token. */
	challengeAnswer(token: string): string | undefined;
	/** Times in a row that a new certificate could not be had. */
	failures(): number;
	/** Does what is due now: reads files that changed, or has the certificate renewed. Never rejects. */
	look(): Promise<void>;
	/** Looks by itself from now on. */
	start(): void;
	close(): Promise<void>;
}

/** Listeners for changes. */
export function createListeners() {
	const listeners: ((pair: CertificatePair) => void)[] = [];
	return {
		add: (listener: (pair: CertificatePair) => void) => void listeners.push(listener),
		tell: (pair: CertificatePair) => {
			for (const listener of listeners) listener(pair);
		},
	};
}

/** Calls `look` at once and again every so many milliseconds, one at a time. */
export function lookEvery(
	clock: Clock,
	ms: number,
	look: () => Promise<void>,
): { start(): void; stop(): Promise<void> } {
	let running: Promise<void> | undefined;
	let cancel: Cancel | undefined;
	const once = () => {
		running ??= look().finally(() => {
			running = undefined;
		});
	};
	return {
		start: () => {
			once();
			cancel ??= clock.every(ms, once);
		},
		stop: async () => {
			cancel?.();
			await running;
		},
	};
}
