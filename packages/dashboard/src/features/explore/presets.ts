import type { Pivot } from "./pivot.ts";
import { t } from "./texts.ts";

/** Questions to begin with. */
export const presets: readonly { readonly label: string; readonly pivot: Pivot }[] = [
	{
		label: t.ofPreset.campaigns,
		pivot: { rows: ["utm_campaign"], columns: ["device_type"], figures: ["entrances", "revenue"], look: "table" },
	},
	{
		label: t.ofPreset.hours,
		pivot: { rows: ["hour"], columns: ["day_of_week"], figures: ["entrances"], look: "table" },
	},
	{
		label: t.ofPreset.countries,
		pivot: { rows: ["utm_source", "utm_medium"], columns: ["country"], figures: ["entrances"], look: "table" },
	},
	{
		label: t.ofPreset.days,
		pivot: { rows: ["date"], columns: ["channel_group"], figures: ["entrances"], look: "lines" },
	},
	{
		label: t.ofPreset.landing,
		pivot: {
			rows: ["landing_page", "utm_source"],
			columns: [],
			figures: ["entrances", "bounce_rate", "conversions", "conversion_rate"],
			look: "table",
		},
	},
];
