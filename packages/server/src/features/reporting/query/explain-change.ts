import { percentage } from "../../../analytics/catalog/rates.ts";
import { addDecimals } from "../../../analytics/query/engine/series.ts";
import { placed } from "../../../analytics/query/question/bad-question.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { ofVisits } from "../../../analytics/query/question/reading.ts";
import { resolveComparison } from "../../../analytics/query/question/resolve-comparison.ts";
import { resolveRange } from "../../../analytics/query/question/resolve-range.ts";
import { baselineStart } from "../../../analytics/query/reports/baseline-start.ts";
import {
	type Change,
	type ChangeQuestion,
	type DimensionChange,
	runExplainedChange,
} from "../../../analytics/query/reports/explained-change.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import { success } from "../../../platform/http/envelope.ts";
import type { QueryDeps } from "./asking.ts";
import { type ExplainBody, type ExplainDimension, explainDimensions } from "./explain-schemas.ts";
import { parseConditions, type QuerySite, type RowChoice } from "./parse.ts";
import { type ChoosingParameters, rowChoiceOf } from "./read-query.ts";

type Context = Parameters<typeof resolveComparison>[2];

/** The days to compare with. They may be named without a word. */
function comparedDays(body: ExplainBody, range: DateRange, context: Context): DateRange {
	const { compare = body.compare_start || body.compare_end ? "custom" : undefined } = body;
	const compared = placed("body", () => resolveComparison({ ...body, compare }, range, context));
	if (compared === undefined) {
		throw fieldError("body.compare", "Required, unless compare_start and compare_end are given", "missing");
	}
	return compared;
}

function readQuestion(
	{ clock }: Pick<QueryDeps, "clock">,
	site: QuerySite,
	body: ExplainBody,
	choice: RowChoice,
): ChangeQuestion {
	const context = { timezone: site.timezone, clock };
	const { metric, date_from, date_to, dimensions, filters = {} } = body;
	const range = placed("body", () => resolveRange({ date_from, date_to }, context));
	return {
		site: site.id,
		metric,
		range,
		earlier: comparedDays(body, range, context),
		dimensions: dimensions.map((name) => explainDimensions[name]),
		conditions: parseConditions(filters, choice, ofVisits),
	};
}

const presentChange = ({ current, earlier, change }: Change) => ({ now: current, before: earlier, change });

function presentDimension(name: ExplainDimension, { moved, rows }: DimensionChange, total: Change) {
	return {
		name,
		explained: percentage(addDecimals(rows.map(({ change }) => Math.abs(change))), moved),
		rows: rows.map(({ value, ...row }) => ({
			value,
			...presentChange(row),
			share: percentage(row.change, total.change),
		})),
	};
}

/** How a metric changed, and which values of which dimensions moved it. 400 and 422 as the parts of the question say. */
export async function explainChange(
	deps: QueryDeps,
	site: QuerySite,
	{ query, body }: { readonly query: ChoosingParameters; readonly body: ExplainBody },
) {
	const question = readQuestion(deps, site, body, await rowChoiceOf(deps, site, query));
	const { earlier, conditions } = question;
	const [{ total, dimensions }, meta] = await Promise.all([
		runExplainedChange(deps, question),
		baselineStart(deps, { sites: [site.id], earlier, conditions }),
	]);
	const data = {
		total: presentChange(total),
		dimensions: body.dimensions.flatMap((name) =>
			dimensions
				.filter(({ dimension }) => dimension === explainDimensions[name])
				.map((found) => presentDimension(name, found, total)),
		),
	};
	return success(data, meta);
}
