import { definitions } from "./definitions.generated.ts";

/** The definition of a metric by its API name; undefined for what `docs/metrics.md` does not define. */
export const definitionOf = (metric: string) => definitions[metric];

/** A metric as a whole statement over the days of a site; undefined where it has no definition. */
export function statementOf(
	metric: string,
	about: { readonly site: string; readonly from: string; readonly to: string },
): string | undefined {
	const definition = definitionOf(metric);
	if (definition === undefined) return undefined;
	return `SELECT ${definition.sql} AS ${metric}
FROM events
WHERE site = '${about.site}' AND date BETWEEN '${about.from}' AND '${about.to}'`;
}
