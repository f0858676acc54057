import { type Static, Type } from "typebox";
import { campaignDimensions } from "../../../analytics/catalog/dimensions.ts";
import { paging, Timestamp } from "../../../platform/http/schemas.ts";
import { CountedPage } from "./explain.ts";
import { commonParameters, ownParameters } from "./parameters.ts";

const clid = {
	clid: Type.Optional(Type.Array(Type.String(), { description: "Click id; repeat it to allow several values" })),
};

const MAX_ROWS = 10_000;

const rawParameters = {
	...commonParameters,
	...ownParameters.conversionType,
	...ownParameters.landingPage,
	...paging({ pageSize: 50, max: MAX_ROWS }),
	limit: Type.Optional(
		Type.Integer({ minimum: 1, maximum: MAX_ROWS, description: "Alias of `page_size`; takes precedence" }),
	),
};

/** Query of the raw microconversions. */
export const RawQuery = Type.Object(rawParameters);

/** Query of the raw rows that carry a click id. */
export const RawClickQuery = Type.Object({ ...rawParameters, ...clid });
export type RawClickQuery = Static<typeof RawClickQuery>;

const campaign = Object.fromEntries(campaignDimensions.map((name) => [name, Type.String()])) as Record<
	(typeof campaignDimensions)[number],
	ReturnType<typeof Type.String>
>;
const audience = { country: Type.String(), device_type: Type.String(), channel_group: Type.String() };
const properties = { properties: Type.Record(Type.String(), Type.String()) };
const clickId = { clid: Type.String({ description: "Click id of the session, else empty" }) };

const eventRow = {
	date: Type.String({ format: "date", description: "Day in the site's time zone" }),
	hour: Type.Integer({ minimum: 0, maximum: 23 }),
	timestamp_utc: Timestamp(),
	timestamp_local: Type.String({
		format: "date-time",
		description: "The same instant with the UTC offset of the site",
	}),
	conversion_type: Type.String(),
	...audience,
	...campaign,
	landing_page: Type.String(),
	browser: Type.String(),
	os: Type.String(),
	...properties,
};

/** Page of raw microconversions. */
export const RawMicroconversions = CountedPage(Type.Object(eventRow));

/** Page of raw items of conversions. */
export const RawItems = CountedPage(Type.Object({ ...eventRow, ...clickId }));

/** Page of raw conversions. */
export const RawConversions = CountedPage(
	Type.Object({
		timestamp: Type.String({ format: "date-time", description: "The same as `timestamp_utc`" }),
		...eventRow,
		amount: Type.Number(),
		...clickId,
	}),
);
