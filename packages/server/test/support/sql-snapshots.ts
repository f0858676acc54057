import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EventQuery, EventStore } from "../../src/platform/event-store/event-store.ts";

const folder = join(import.meta.dirname, "../sql/reports");
const LONGEST_LIST = 50;

/** A store whose queries are recorded; `taken` answers those since the last call, in order. */
export function recordingStore(real: EventStore) {
	const asked: EventQuery[] = [];
	const recorded =
		<Query extends EventQuery, Answer>(ask: (query: Query) => Answer) =>
		(query: Query): Answer => {
			asked.push(query);
			return ask(query);
		};
	const { query, stream, streamBytes } = real;
	const store = { ...real, query: recorded(query), stream: recorded(stream), streamBytes: recorded(streamBytes) };
	return { store: store as EventStore, taken: (): readonly EventQuery[] => asked.splice(0) };
}

/** Requests below a path that have a committed file: each stands in its first line, which is all that a new file needs. */
export const committedRequests = (below: string) =>
	readdirSync(folder).flatMap((file) => {
		const [first = ""] = readFileSync(join(folder, file), "utf8").split("\n", 1);
		const [, title = "", path = "", body] = /^-- (\w+ (\S+)(?: (\{.*))?)$/.exec(first) ?? [];
		assert.ok(path !== "" || !/^-- (GET|POST) /.test(first), `${file}: its first line is no request`);
		if (!path.startsWith(below)) return [];
		const payload: object | undefined = body === undefined ? undefined : JSON.parse(body);
		return { name: file.replace(".sql", ""), title, url: encodeURI(path), payload };
	});

/**
 * The queries are those of the committed file `sql/reports/<name>.sql`, with their values and settings and with the
 * projection that the store reads. `UPDATE_SNAPSHOTS=1` writes the file.
 */
export async function assertSnapshot(
	store: EventStore,
	{ name, title, queries }: { name: string; title: string; queries: readonly EventQuery[] },
): Promise<void> {
	const actual = `-- ${title}\n\n${await textOf(store, queries)}`;
	const file = join(folder, `${name}.sql`);
	if (process.env.UPDATE_SNAPSHOTS === "1") writeFileSync(file, actual);
	assert.equal(actual, readFileSync(file, "utf8"));
}

/** The words of a report by those of the report whose SQL is otherwise the same. */
export type Words = Readonly<Record<string, string>>;

/** The queries are those of a committed file once some of their words are replaced. */
export async function assertAlike(
	store: EventStore,
	{ name, words, queries }: { name: string; words: Words; queries: readonly EventQuery[] },
): Promise<void> {
	let actual = await textOf(store, queries);
	for (const [word, usual] of Object.entries(words))
		actual = actual.replaceAll(new RegExp(`\\b${word}\\b`, "g"), usual);
	assert.equal(actual, readFileSync(join(folder, `${name}.sql`), "utf8").replace(/^.*\n\n/, ""));
}

const textOf = async (store: EventStore, queries: readonly EventQuery[]): Promise<string> =>
	`${(await Promise.all(queries.map((query) => textOfQuery(store, query)))).join("\n\n")}\n`;

async function textOfQuery(store: EventStore, query: EventQuery): Promise<string> {
	const lines = (values: object = {}) =>
		Object.entries(values).map(([key, value]) => `-- ${key} = ${valueText(value)}`);
	const settings = lines(query.settings).map((line) => line.replace("-- ", "-- setting "));
	return [`-- reads ${await tableRead(store, query)}`, ...lines(query.params), ...settings, `${query.sql};`].join("\n");
}

/** A value; of a long list its beginning. */
function valueText(value: unknown): string {
	if (!Array.isArray(value) || value.length <= LONGEST_LIST) return JSON.stringify(value);
	return `${JSON.stringify(value.slice(0, 3)).slice(0, -1)}, …] (${value.length})`;
}

/** The projection or table that the engine reads for a query. */
export async function tableRead(store: EventStore, query: EventQuery): Promise<string> {
	const plan = await store.query<{ explain: string }>({ ...query, sql: `EXPLAIN ${query.sql}` });
	const lines = plan.flatMap(({ explain }) => explain.split("\n"));
	const reads = lines.flatMap((line) => /ReadFromMergeTree \((.*)\)/.exec(line)?.[1] ?? []);
	const names = reads.map((name) => name.replace(/^.*\.(events|bot_hits)$/, "$1"));
	return names.length === 0 ? "nothing here" : [...new Set(names)].join(", ");
}
