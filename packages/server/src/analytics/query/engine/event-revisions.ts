import type { EventInsert, EventStore } from "../../../platform/event-store/event-store.ts";

/** Slugs of the sites that something is about. */
export type Sites = readonly string[] | "all";

/** Tells whether what is stored may have changed since an answer was made. */
export interface EventRevisions {
	/** Rows of these sites were stored, changed or deleted. */
	bump(sites: ReadonlySet<string> | "all"): void;
	/** Changes when rows of one of these sites may have; undefined when that cannot be told. */
	of(sites: Sites): string | undefined | Promise<string | undefined>;
}

/** The revisions of a store that this process alone writes to. */
export function createEventRevisions(): EventRevisions {
	const bySite = new Map<string, number>();
	let latest = 0;
	let ofAll = 0;
	return {
		bump(sites) {
			latest += 1;
			if (sites === "all") ofAll = latest;
			else for (const site of sites) bySite.set(site, latest);
		},
		of: (sites) =>
			String(sites === "all" ? latest : sites.reduce((last, site) => Math.max(last, bySite.get(site) ?? 0), ofAll)),
	};
}

/** The store, whose revisions change with every insert and command, also with one that may have failed half-way. */
export function noteChanges<Store extends EventStore>(store: Store, revisions: Pick<EventRevisions, "bump">): Store {
	return {
		...store,
		insert: (insert: EventInsert) => store.insert(insert).finally(() => revisions.bump(sitesIn(insert))),
		command: (...command: Parameters<EventStore["command"]>) =>
			store.command(...command).finally(() => revisions.bump("all")),
	};
}

const [LINE_FEED, TAB] = [10, 9];

/** The sites of the rows: the first field of each, in which nothing is ever escaped. */
function sitesIn({ columns, tsv }: EventInsert): ReadonlySet<string> | "all" {
	if (columns[0] !== "site") return "all";
	const bytes = Buffer.from(tsv.buffer, tsv.byteOffset, tsv.byteLength);
	const sites = new Set<string>();
	for (let start = 0; start < bytes.length; start = endOf(bytes, LINE_FEED, start) + 1) {
		sites.add(bytes.toString("latin1", start, endOf(bytes, TAB, start)));
	}
	return sites;
}

function endOf(bytes: Buffer, character: number, from: number): number {
	const at = bytes.indexOf(character, from);
	return at < 0 ? bytes.length : at;
}
