import { campaignDimensions, type Dimension } from "../../../analytics/catalog/dimensions.ts";

/** Values of `include` with the column that each adds to a row. */
export const includable = {
	device: "device_type",
	browser: "browser",
	os: "os",
	channel_group: "channel_group",
} as const satisfies Record<string, Dimension>;

/** A value of `include`. */
export type Includable = keyof typeof includable;

/** The columns that `include_utm` and `include` add, in the order of the answer. */
export function extraDimensions(includeUtm: boolean, include: readonly Includable[]): Dimension[] {
	const names = Object.keys(includable) as Includable[];
	return [
		...(includeUtm ? campaignDimensions : []),
		...names.filter((name) => include.includes(name)).map((name) => includable[name]),
	];
}
