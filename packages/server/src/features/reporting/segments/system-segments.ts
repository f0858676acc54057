import type { SegmentCondition } from "./schemas.ts";
import type { Segment } from "./segment.ts";

const is = (field: SegmentCondition["field"], value: string): SegmentCondition => ({ field, operator: "eq", value });

/** The segments that every site has. */
const definitions: readonly {
	readonly name: string;
	readonly displayName: string;
	readonly description: string;
	readonly conditions: readonly SegmentCondition[];
}[] = [
	{ name: "all-traffic", displayName: "All traffic", description: "Every visit", conditions: [] },
	{
		name: "organic-search",
		displayName: "Organic search",
		description: "Visits with the medium organic",
		conditions: [is("utm_medium", "organic")],
	},
	{
		name: "paid-search",
		displayName: "Paid search",
		description: "Visits with the medium cpc",
		conditions: [is("utm_medium", "cpc")],
	},
	{
		name: "social",
		displayName: "Social",
		description: "Visits of the channels Organic Social and Paid Social",
		conditions: [{ field: "channel", operator: "in", value: ["Organic Social", "Paid Social"] }],
	},
	{
		name: "direct",
		displayName: "Direct",
		description: "Visits of the channel Direct",
		conditions: [is("channel", "Direct")],
	},
	{
		name: "referral",
		displayName: "Referral",
		description: "Visits of the channel Referral",
		conditions: [is("channel", "Referral")],
	},
	{
		name: "mobile",
		displayName: "Mobile",
		description: "Visits from phones",
		conditions: [is("device_type", "mobile")],
	},
	{
		name: "desktop",
		displayName: "Desktop",
		description: "Visits from desktop computers",
		conditions: [is("device_type", "desktop")],
	},
];

/** System segments, seen from a site. */
export const systemSegments = (siteId: string): Segment[] =>
	definitions.map(({ name, displayName, description, conditions }) => ({
		id: `seg_sys_${name}`,
		siteId,
		name,
		displayName,
		description,
		color: null,
		filters: { conditions: [...conditions], groups: [], not_groups: [] },
		stored: undefined,
	}));

/** The system segment with this id or name. */
export const systemSegment = (siteId: string, idOrName: string): Segment | undefined =>
	systemSegments(siteId).find(({ id, name }) => id === idOrName || name === idOrName);
