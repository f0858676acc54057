import type { Clock } from "../lib/clock.ts";
import type { Metadata } from "./metadata.ts";
import { settingsChangedSince, settingsVersion } from "./setting-versions.ts";

const CHECK_INTERVAL_MS = 5000;
/** From here on, reading every owner's settings is one query instead of one long list of owners. */
const MANY_OWNERS = 200;

/** Settings in memory that follow the store: `refresh` reads what has changed, after a change in this process and by a timer. */
export type SettingsWatch = Awaited<ReturnType<typeof watchSettings>>;

/** Settings to follow, and how they are read. */
export interface WatchedSettings {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly topic: string;
	/** Reads the settings of some owners, of all of them when undefined. */
	readonly read: (owners: readonly string[] | undefined) => Promise<void>;
	/** Called when a check fails; the last read settings stay in use. */
	readonly onError?: (error: unknown) => void;
}

/** Reads settings and keeps them fresh: at once after `refresh`, within five seconds after a change elsewhere. Only what has changed is read again. */
export async function watchSettings(watched: WatchedSettings) {
	const { metadata, clock, topic, read, onError } = watched;
	// The count is read first: a change between the two readings is then found by the next check.
	let seen = await settingsVersion(metadata, topic);
	await read(undefined);
	let tail: Promise<void> = Promise.resolve();
	let waiting: Promise<void> | undefined;

	async function readChanges(): Promise<void> {
		const { version, owners } = await settingsChangedSince(metadata, topic, seen);
		if (version === seen) return;
		await read(owners.length > MANY_OWNERS ? undefined : owners);
		seen = version;
	}
	function refresh(): Promise<void> {
		// One that has not begun yet finds the changes of all who wait for it.
		if (waiting !== undefined) return waiting;
		waiting = tail.then(() => {
			waiting = undefined;
			return readChanges();
		});
		tail = waiting.catch(() => undefined);
		return waiting;
	}

	const check = () => void refresh().catch((error: unknown) => onError?.(error));
	return { refresh, stop: clock.every(CHECK_INTERVAL_MS, check) };
}
