import type { Answer } from "../../api/client.ts";
import { country } from "../../lib/format.ts";
import { deviceName, t } from "./texts.ts";

type Figures = Answer<"GET /stats/live">;

/** A source in words: an empty one came without. */
export const sourceName = (source: string): string => (source === "" || source === "(direct)" ? t.direct : source);
/** A country in words. */
export const countryName = (code: string): string => (code === "" || code === "Unknown" ? t.unknown : country(code));

/** The lists of now, in the order in which they stand. */
export const listsOf = ({ pages, sources, countries, devices }: Figures) => [
	{ title: t.pages, rows: pages.map(({ path, active_visits: visits }) => ({ name: path, visits })) },
	{
		title: t.sources,
		rows: sources.map(({ source, active_visits: visits }) => ({ name: sourceName(source), visits })),
	},
	{
		title: t.countries,
		rows: countries.map(({ country: code, active_visits: visits }) => ({ name: countryName(code), visits })),
	},
	{
		title: t.devices,
		rows: devices.map(({ device, active_visits: visits }) => ({ name: deviceName(device), visits })),
	},
];
