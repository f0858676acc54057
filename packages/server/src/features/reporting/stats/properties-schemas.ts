import { type Static, Type } from "typebox";
import { propertyTables } from "../../../analytics/query/reports/property-reports.ts";
import { OneOf, paging, Success } from "../../../platform/http/schemas.ts";
import { CountedPage } from "./explain.ts";
import { commonParameters, ownParameters } from "./parameters.ts";

const table = {
	table: OneOf([...propertyTables], {
		default: "both",
		description: "Type of the events; `both`: conversions and microconversions",
	}),
};

const propertyKey = { property_key: Type.String({ minLength: 1, description: "Name of the property" }) };

/** Query of the names of properties. */
export const PropertyKeysQuery = Type.Object({ ...commonParameters, ...ownParameters.conversionType, ...table });
export type PropertyKeysQuery = Static<typeof PropertyKeysQuery>;

/** Query of one property by source. */
export const PropertyBreakdownQuery = Type.Object({
	...commonParameters,
	...ownParameters.conversionType,
	...propertyKey,
	...table,
});
export type PropertyBreakdownQuery = Static<typeof PropertyBreakdownQuery>;

/** Query of the values of one property. */
export const PropertyValuesQuery = Type.Object({
	...PropertyBreakdownQuery.properties,
	group_by: OneOf(["utm_source", "utm_medium", "utm_campaign", "all"], { default: "utm_source" }),
	...paging({ pageSize: 50, max: 1000 }),
});
export type PropertyValuesQuery = Static<typeof PropertyValuesQuery>;

/** Answer with the names of properties. */
export const PropertyKeysAnswer = Success(
	Type.Array(
		Type.Object({
			key: Type.String(),
			conversions_count: Type.Integer(),
			microconversions_count: Type.Integer(),
			total_count: Type.Integer(),
		}),
	),
);

/** Answer with the values of one property. */
export const PropertyValuesAnswer = CountedPage(
	Type.Object({
		property_value: Type.String(),
		utm_source: Type.Optional(Type.String()),
		utm_medium: Type.Optional(Type.String()),
		utm_campaign: Type.Optional(Type.String()),
		conversions_count: Type.Integer(),
		microconversions_count: Type.Integer(),
		revenue: Type.Number(),
	}),
);

const ByValue = (description: string) => Type.Record(Type.String(), Type.Integer(), { description });

/** Answer with one property by source. */
export const PropertyBreakdownAnswer = Success(
	Type.Object({
		property_key: Type.String(),
		property_values: Type.Array(Type.String(), { description: "The 100 most frequent ones" }),
		total_events: Type.Integer({ description: "Events with the property, whatever its value" }),
		date_from: Type.String({ format: "date" }),
		date_to: Type.String({ format: "date" }),
		data: Type.Array(
			Type.Object({
				utm_source: Type.String(),
				utm_medium: Type.String(),
				utm_campaign: Type.String(),
				total: Type.Integer(),
				values: ByValue("Count by value, for the listed values"),
			}),
			{ description: "The 100 sources with the most of these events" },
		),
		totals: ByValue("Count by value, for the listed values"),
	}),
);
