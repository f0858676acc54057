/** Where tables live: one server (or the embedded engine), or a named cluster. */
export interface Topology {
	/** Name of the cluster in the server's configuration; absent = one server. */
	readonly cluster?: string;
}

/** A table of additive facts, or of a log. */
export interface TableDefinition {
	readonly name: string;
	/** Column name to type, in storage order. */
	readonly columns: Readonly<Record<string, string>>;
	/** Column name to codec list; the engine's default codec where absent. */
	readonly codecs?: Readonly<Record<string, string>>;
	/** Projection name to its query. */
	readonly projections?: Readonly<Record<string, string>>;
	readonly partitionBy?: string;
	readonly orderBy: string;
	readonly ttl?: string;
	/** Expression that spreads rows over the shards of a cluster. */
	readonly shardBy: string;
}

/** Halves the files against the engine's default LZ4; projections take it too, which codecs of columns do not reach. */
const COMPRESSION = "default_compression_codec = 'ZSTD(1)'";
/** An insert is answered when its rows would survive a power cut, and a repeated one is dropped. */
const DURABLE = "fsync_after_insert = 1, fsync_part_directory = 1";
/**
 * How many inserted blocks are known by their tokens, and on a cluster for how long: a collector that was away for a week
 * repeats its last insert. At ten inserts a second, ten collectors at full load, that many go by in less than three hours.
 * A larger number costs memory and time at the start, not at an insert.
 */
const TOKENS = 100_000;
const TOKEN_SECONDS = 7 * 24 * 3600;
const SINGLE_SETTINGS = `${DURABLE}, non_replicated_deduplication_window = ${TOKENS}, ${COMPRESSION}`;
const CLUSTER_SETTINGS = `${DURABLE}, replicated_deduplication_window = ${TOKENS}, replicated_deduplication_window_seconds = ${TOKEN_SECONDS}, ${COMPRESSION}`;

/**
 * The statements that create a table, each safe to repeat. On a cluster the rows lie in `<name>_local`, replicated, and
 * `<name>` spreads over the shards, so that readers and writers name the same table in both forms.
 */
export function createTable(table: TableDefinition, topology: Topology): string[] {
	const { cluster } = topology;
	if (cluster === undefined)
		return [`CREATE TABLE IF NOT EXISTS ${table.name} ${body(table, "MergeTree", SINGLE_SETTINGS)}`];
	const on = `ON CLUSTER ${quoted(cluster)}`;
	const replicated = `ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/${table.name}_local', '{replica}')`;
	return [
		`CREATE TABLE IF NOT EXISTS ${table.name}_local ${on} ${body(table, replicated, CLUSTER_SETTINGS)}`,
		`CREATE TABLE IF NOT EXISTS ${table.name} ${on} AS ${table.name}_local ENGINE = Distributed(${quoted(cluster)}, currentDatabase(), ${table.name}_local, ${table.shardBy})`,
	];
}

function body(table: TableDefinition, engine: string, settings: string): string {
	const columns = Object.entries(table.columns).map(([name, type]) => {
		const codec = table.codecs?.[name];
		return codec === undefined ? `${name} ${type}` : `${name} ${type} CODEC(${codec})`;
	});
	const projections = Object.entries(table.projections ?? {}).map(([name, query]) => `PROJECTION ${name} (${query})`);
	return [
		`(\n\t${[...columns, ...projections].join(",\n\t")}\n)`,
		`ENGINE = ${engine}`,
		table.partitionBy === undefined ? undefined : `PARTITION BY ${table.partitionBy}`,
		`ORDER BY (${table.orderBy})`,
		table.ttl === undefined ? undefined : `TTL ${table.ttl}`,
		`SETTINGS ${settings}`,
	]
		.filter((line) => line !== undefined)
		.join("\n");
}

/** The name of a cluster in a statement. */
export function quoted(cluster: string): string {
	if (!/^[\w-]{1,64}$/.test(cluster)) throw new Error("The cluster's name may hold letters, digits, _ and - only");
	return `\`${cluster}\``;
}
