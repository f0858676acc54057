import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrateEvents } from "../../migrations/events/index.ts";
import {
	createEventRevisions,
	type EventRevisions,
	noteChanges,
} from "../../src/analytics/query/engine/event-revisions.ts";
import type { Stores } from "../../src/composition/stores.ts";
import { type AccountsStore, openAccounts } from "../../src/composition/stores.ts";
import type { ReadyConfig } from "../../src/platform/config/secret-key.ts";
import { openEventStore } from "../../src/platform/event-store/open-event-store.ts";
import type { Clock } from "../../src/platform/lib/clock.ts";
import { ready } from "../../src/platform/lib/readiness.ts";
import type { Log } from "../../src/platform/log/log.ts";
import { removeAtTheEnd } from "./remove-at-the-end.ts";
import { silentLog } from "./test-store.ts";

type OpenStore = Awaited<ReturnType<typeof openEventStore>>;

interface Shared {
	readonly store: OpenStore;
	remove(): Promise<void>;
}

/** Open handles of a running engine: its process, the channel to it, and its output. */
const ENGINE_KEEPS_OPEN = ["ProcessWrap", "PipeWrap", "PipeWrap"];

/** To start an engine takes longer than most tests: the next app of this process gets it again, emptied. */
const free: Shared[] = [];
let isOver = false;
removeAtTheEnd({
	keepsOpen: () => free.flatMap(() => ENGINE_KEEPS_OPEN),
	remove: async () => {
		isOver = true;
		await Promise.all(free.splice(0).map(({ remove }) => remove()));
		if (template !== undefined) rmSync(template, { recursive: true, force: true });
	},
});

/** Directory of the first engine of this process, with all tables, empty. */
let template: string | undefined;

/** Puts the tables of the event store, empty, into a new data directory, where they are at hand: to make them takes as long as a start. */
export function placeMigratedEvents(dataDir: string): void {
	if (template !== undefined) cpSync(template, dataDir, { recursive: true });
}

/** The stores of an app as `openStores` opens them, on an engine that no other app has or on the one that is given. */
export async function storesOnSharedEngine(
	around: { readonly config: ReadyConfig; readonly clock: Clock; readonly log: Log },
	kept?: LentEventStore,
): Promise<Stores> {
	const { store, giveBack } =
		kept === undefined ? await lendEventStore() : { ...kept, giveBack: async () => undefined };
	const events = Promise.resolve(store);
	const accounts = await openAccounts({ ...around, events, isPatient: false }).catch(async (error) => {
		await giveBack();
		throw error;
	});
	const close = async () => void (await Promise.all([giveBack(), accounts.close()]));
	return storesOn(store, accounts, createEventRevisions(), close);
}

/** Those of a service with these accounts on a lent engine. */
export const storesOn = (
	store: OpenStore,
	{ metadata, settings, tables }: Omit<AccountsStore, "close">,
	revisions: EventRevisions,
	close: Stores["close"],
): Stores => ({
	metadata,
	settings,
	accountTables: tables,
	eventStore: noteChanges(store, revisions),
	// Frozen parts are in the engine's directory, which is not that of the app.
	holdWrites: undefined,
	eventTables: ready,
	storeProcess: store.childPid,
	revisions,
	close,
});

export type LentEventStore = Awaited<ReturnType<typeof lendEventStore>>;

/** Lends a store that no other app has; `giveBack` leaves it to the next app of this process. */
export async function lendEventStore() {
	const shared = free.pop() ?? (await newShared());
	return {
		store: shared.store,
		giveBack: async (): Promise<void> => {
			// A file's own hooks at its end run after the one here.
			if (isOver || !(await isEmptied(shared.store))) return shared.remove();
			free.push(shared);
		},
	};
}

/**
 * Nothing outlives an app here, and its parts are few: to wait for the disk, and to merge in the background, would be half of the work
 * of an insert.
 */
const HASTY =
	"fsync_after_insert = 0, fsync_part_directory = 0, max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1";

async function newShared(): Promise<Shared> {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-events-"));
	const store = await openEventStore({ dataDir, log: silentLog });
	await migrateEvents(store);
	if (template === undefined) {
		template = mkdtempSync(join(tmpdir(), "footfall-tables-"));
		cpSync(dataDir, template, { recursive: true });
	}
	for (const name of ["events", "bot_hits"]) await store.command(`ALTER TABLE ${name} MODIFY SETTING ${HASTY}`);
	return {
		store,
		remove: async () => {
			await store.close();
			rmSync(dataDir, { recursive: true, force: true });
		},
	};
}

/** False for a store that a test has broken. */
async function isEmptied(store: OpenStore): Promise<boolean> {
	try {
		const tables = await store.query<{ name: string }>({
			sql: "SELECT name FROM system.tables WHERE database = currentDatabase() AND name != 'event_migrations'",
		});
		// Also those without rows: which inserts were made already is forgotten with them.
		for (const { name } of tables) await store.command(`TRUNCATE TABLE ${name} SYNC`);
		return true;
	} catch {
		return false;
	}
}
