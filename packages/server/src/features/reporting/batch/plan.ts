import { isAllowed } from "./endpoint.ts";
import type { BatchQuery } from "./schemas.ts";

/** Something wrong with a query of a batch. */
interface Fault {
	readonly queryId: string;
	/** Dotted path in the request. */
	readonly field: string;
	readonly message: string;
}

/** A batch with its order. */
export interface Plan {
	/** Errors that prevent it from running. */
	readonly errors: readonly Fault[];
	readonly warnings: readonly Fault[];
	/** Queries of a group depend on earlier groups only; empty when there are errors. */
	readonly groups: readonly (readonly BatchQuery[])[];
}

/** The pattern of the GET route that a path leads to, relative to the API. */
type PatternOf = (path: string) => string | undefined;

interface Placed {
	readonly query: BatchQuery;
	readonly at: number;
	readonly isRepeated: boolean;
	readonly ids: ReadonlySet<string>;
	readonly patternOf: PatternOf;
}

interface Check {
	readonly field: (placed: Placed) => string;
	readonly message: (placed: Placed) => string;
	readonly fails: (placed: Placed) => boolean;
}

const unknownOf = ({ depends_on }: BatchQuery, ids: ReadonlySet<string>) => depends_on.find((id) => !ids.has(id));

const errorChecks: readonly Check[] = [
	{
		field: () => "id",
		message: ({ query }) => `Another query has the id ${query.id}`,
		fails: ({ isRepeated }) => isRepeated,
	},
	{
		field: () => "endpoint",
		message: () =>
			"Must be /stats/query, /stats/explain or the path of a GET route below /stats, such as /stats/overview; raw rows, streams and aggregates of several sites are not for batches",
		fails: ({ query, patternOf }) => !isAllowed(query.endpoint, patternOf),
	},
	{
		field: ({ query, ids }) => `depends_on.${query.depends_on.findIndex((id) => !ids.has(id))}`,
		message: ({ query, ids }) => `The batch has no query ${unknownOf(query, ids)?.slice(0, 64)} to depend on`,
		fails: ({ query, ids }) => unknownOf(query, ids) !== undefined,
	},
];

const warningChecks: readonly Check[] = [
	{
		field: () => "params.site_id",
		message: () => "Has neither site_id nor account_id in its params, so it will fail",
		fails: ({ query: { params } }) => params.site_id === undefined && params.account_id === undefined,
	},
	{
		field: () => "depends_on",
		message: () => "Names a dependency twice",
		fails: ({ query }) => new Set(query.depends_on).size < query.depends_on.length,
	},
];

function faults(placed: readonly Placed[], checks: readonly Check[]): Fault[] {
	return placed.flatMap((one) =>
		checks
			.filter((check) => check.fails(one))
			.map(({ field, message }) => ({
				queryId: one.query.id,
				field: `body.queries.${one.at}.${field(one)}`,
				message: message(one),
			})),
	);
}

/** Groups by dependencies, in the order of the request; `rest` are the queries of a cycle and those behind it. */
function group(queries: readonly BatchQuery[]): { groups: BatchQuery[][]; rest: ReadonlySet<BatchQuery> } {
	const groups: BatchQuery[][] = [];
	const done = new Set<string>();
	const rest = new Set(queries);
	for (;;) {
		const next = [...rest].filter((query) => query.depends_on.every((id) => done.has(id)));
		if (next.length === 0) return { groups, rest };
		groups.push(next);
		for (const query of next) {
			done.add(query.id);
			rest.delete(query);
		}
	}
}

/** Checks a batch and puts it in order. */
export function planBatch(queries: readonly BatchQuery[], patternOf: PatternOf): Plan {
	const ids = new Set(queries.map(({ id }) => id));
	const seen = new Set<string>();
	const placed = queries.map((query, at): Placed => {
		const isRepeated = seen.has(query.id);
		seen.add(query.id);
		return { query, at, isRepeated, ids, patternOf };
	});
	const warnings = faults(placed, warningChecks);
	const errors = faults(placed, errorChecks);
	if (errors.length > 0) return { errors, warnings, groups: [] };
	const { groups, rest } = group(queries);
	const cycle: Check = {
		field: () => "depends_on",
		message: () => "Depends on itself, directly or through others",
		fails: ({ query }) => rest.has(query),
	};
	return { errors: faults(placed, [cycle]), warnings, groups: rest.size === 0 ? groups : [] };
}
