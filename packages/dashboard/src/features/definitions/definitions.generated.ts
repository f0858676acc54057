// Written by scripts/generate-definitions.ts from docs/metrics.md. Do not edit.

/** By which SQL each metric is calculated, and what comes out in the example of `docs/metrics.md`. */
export const definitions: Readonly<
	Record<
		string,
		{ readonly formula?: string; readonly sql: string; readonly example: readonly [string, string] | readonly [string] }
	>
> = {
	"entrances": {
		"sql": "sum(entrance)",
		"example": [
			"1",
			"1"
		]
	},
	"engaged_entrances": {
		"sql": "sum(engaged)",
		"example": [
			"1",
			"0"
		]
	},
	"page_views": {
		"sql": "sum(page_view)",
		"example": [
			"1",
			"2"
		]
	},
	"microconversions": {
		"sql": "sum(microconversion)",
		"example": [
			"0",
			"0"
		]
	},
	"conversions": {
		"sql": "sum(conversion)",
		"example": [
			"0",
			"1"
		]
	},
	"revenue": {
		"sql": "sum(revenue)",
		"example": [
			"0",
			"12.99"
		]
	},
	"paid_conversions": {
		"sql": "sumIf(conversion, revenue > 0)",
		"example": [
			"0",
			"1"
		]
	},
	"visit_seconds": {
		"sql": "sum(visit_seconds)",
		"example": [
			"0",
			"1,020"
		]
	},
	"visitors": {
		"sql": "uniqCombinedIf(20)(bitShiftRight(session, 17) + bitShiftLeft(toUInt64(date), 47), (entrance > 0) AND (session > 0)) + sum(visitor)",
		"example": [
			"1",
			"1"
		]
	},
	"bounce_rate": {
		"formula": "(entrances - engaged_entrances) / entrances x 100",
		"sql": "(sum(entrance) - sum(engaged)) / sum(entrance) * 100",
		"example": [
			"(2 - 1) / 2 x 100 = 50"
		]
	},
	"pages_per_session": {
		"formula": "page_views / entrances",
		"sql": "sum(page_view) / sum(entrance)",
		"example": [
			"3 / 2 = 1.5"
		]
	},
	"conversion_rate": {
		"formula": "conversions / entrances x 100, at most 100",
		"sql": "least(sum(conversion) / sum(entrance) * 100, 100)",
		"example": [
			"1 / 2 x 100 = 50"
		]
	},
	"average_order_value": {
		"formula": "revenue / paid_conversions",
		"sql": "sum(revenue) / sumIf(conversion, revenue > 0)",
		"example": [
			"12.99 / 1 = 12.99"
		]
	},
	"visit_duration": {
		"formula": "visit_seconds / entrances",
		"sql": "sum(visit_seconds) / sum(entrance)",
		"example": [
			"1,020 / 2 = 510"
		]
	}
};
