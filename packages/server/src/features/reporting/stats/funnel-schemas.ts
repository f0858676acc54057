import { type Static, Type } from "typebox";
import { campaignDimensions } from "../../../analytics/catalog/dimensions.ts";
import { Success } from "../../../platform/http/schemas.ts";
import { commonParameters } from "./parameters.ts";

/** Query of both funnels. */
export const FunnelQuery = Type.Object(commonParameters);

const ByType = (description: string) => Type.Record(Type.String(), Type.Number(), { description });

const figures = {
	entrances: Type.Integer(),
	page_views: Type.Integer(),
	microconversions: ByType("Count by type, for the 1,000 most frequent types"),
	conversions: ByType("Count by type, for the 1,000 most frequent types"),
	revenue: ByType("Sum by type of conversion"),
};

const labels = Object.fromEntries(campaignDimensions.map((name) => [name, Type.String()]));

/** Answer of the funnel by source. */
export const SourceFunnelAnswer = Success(
	Type.Object({
		account_id: Type.String(),
		date_from: Type.String({ format: "date" }),
		date_to: Type.String({ format: "date" }),
		rows: Type.Array(Type.Object({ ...labels, ...figures }), { description: "At most 1,000, by entrances" }),
		totals: Type.Object(figures, { description: "Of all rows, not only the listed ones" }),
		microconversion_types: Type.Array(Type.String()),
		conversion_types: Type.Array(Type.String()),
	}),
);

/** Steps to count sessions by. */
export const StepFunnelBody = Type.Object({
	steps: Type.Array(Type.String({ minLength: 1, maxLength: 1024, "x-characters": "any" }), {
		minItems: 2,
		maxItems: 10,
		description:
			"A text that starts with `/` is a page path, or with a final `*` all paths with that prefix; any other text is a type of microconversion or conversion",
	}),
	name: Type.String({ maxLength: 255, default: "Custom Funnel", "x-characters": "any" }),
});
export type StepFunnelBody = Static<typeof StepFunnelBody>;

/** Answer of the funnel of steps. */
export const StepFunnelAnswer = Success(
	Type.Object({
		name: Type.String(),
		date_range: Type.Object({
			start_date: Type.String({ format: "date" }),
			end_date: Type.String({ format: "date" }),
			days: Type.Integer(),
		}),
		steps: Type.Array(
			Type.Object({
				step_number: Type.Integer(),
				name: Type.String(),
				count: Type.Integer({ description: "Sessions that completed all steps up to this one, in order" }),
				conversion_rate: Type.Number({ description: "Share of step 1, 0-100" }),
				drop_off_rate: Type.Number({ description: "Share lost since the previous step, 0-100; 0 at step 1" }),
			}),
		),
		total_entries: Type.Integer(),
		total_completions: Type.Integer(),
		overall_conversion_rate: Type.Number(),
	}),
);
