import { readingSettings } from "../reading-settings.ts";

/** Limits of the engine. */
export interface EngineLimits {
	/** Bytes that all queries, inserts and merges together may hold. */
	readonly memoryBytes: number;
}

const MARK_CACHE_BYTES = 64 * 1024 * 1024;

/** Server arguments: they hold for the process and are read when the first connection opens. */
export function serverArguments(limits: EngineLimits): string[] {
	return [
		// Tables are loaded before the first query, so a ready engine answers at once.
		"--async_load_databases=0",
		"--async_load_system_database=0",
		`--mark_cache_size=${MARK_CACHE_BYTES}`,
		`--max_server_memory_usage=${limits.memoryBytes}`,
		// Small pools: each thread keeps memory of its own, and the machine is shared with the collector.
		"--background_pool_size=2",
		"--background_schedule_pool_size=4",
		"--background_move_pool_size=1",
		"--background_fetches_pool_size=1",
		"--background_common_pool_size=2",
	];
}

/** Defaults of every query; a request's own settings win. */
export function connectionArguments(limits: EngineLimits): string[] {
	const perQuery = Math.floor(limits.memoryBytes / 2);
	return [
		"--max_execution_time=30",
		`--max_memory_usage=${perQuery}`,
		`--max_bytes_before_external_group_by=${Math.floor(perQuery / 2)}`,
		`--max_bytes_before_external_sort=${Math.floor(perQuery / 2)}`,
		// An insert must be one block a partition, or its deduplication token would cover only a part of it.
		"--async_insert=0",
		"--input_format_parallel_parsing=0",
		"--output_format_json_quote_64bit_integers=0",
		...Object.entries(readingSettings).map(([name, value]) => `--${name}=${value}`),
		// As objects, the engine writes some keys with control characters wrongly.
		"--output_format_json_map_as_array_of_tuples=1",
		// Bound values stand in the statement here, in the URL on a server: long lists must fit in both.
		"--max_query_size=4000000",
	];
}
