import { campaignDimensions, type Dimension } from "../../../analytics/catalog/dimensions.ts";
import type { Figure } from "../../../analytics/catalog/rates.ts";

/** Values of `include` with the column that each adds to a row. */
export const includable = {
	device: "device_type",
	browser: "browser",
	os: "os",
	channel_group: "channel_group",
} as const satisfies Record<string, Dimension>;

/** A value of `include`. */
export type Includable = keyof typeof includable;

/** Values of `include` that add a number to a row. */
export const addedFigureNames = ["visitors", "visit_duration"] as const satisfies readonly Figure[];

/** The numbers that `include` can add to rows of a key. Visits last, pages do not. */
export function addableFigures(key: Readonly<Record<string, Dimension>>): AddedFigure[] {
	return addedFigureNames.filter((name) => name !== "visit_duration" || !Object.values(key).includes("path"));
}

/** A value of `include` that adds a number. */
export type AddedFigure = (typeof addedFigureNames)[number];

/** The numbers that `include` adds, in the order of the answer. */
export function extraFigures(include: readonly (Includable | AddedFigure)[]): AddedFigure[] {
	return addedFigureNames.filter((name) => include.includes(name));
}

/** The columns that `include_utm` and `include` add, in the order of the answer. */
export function extraDimensions(includeUtm: boolean, include: readonly (Includable | AddedFigure)[]): Dimension[] {
	const names = Object.keys(includable) as Includable[];
	return [
		...(includeUtm ? campaignDimensions : []),
		...names.filter((name) => include.includes(name)).map((name) => includable[name]),
	];
}
