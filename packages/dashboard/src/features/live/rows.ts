import type { Answer } from "../../api/client.ts";
import { valueName } from "../site/index.ts";
import { t } from "./texts.ts";

type Figures = Answer<"GET /stats/live">;

/** The lists of now, in the order in which they stand. */
export const listsOf = ({ pages, sources, countries, devices }: Figures) => [
	{ title: t.pages, rows: pages.map(({ path, active_visits: visits }) => ({ name: valueName("path", path), visits })) },
	{
		title: t.sources,
		rows: sources.map(({ source, active_visits: visits }) => ({ name: valueName("utm_source", source), visits })),
	},
	{
		title: t.countries,
		rows: countries.map(({ country, active_visits: visits }) => ({ name: valueName("country", country), visits })),
	},
	{
		title: t.devices,
		rows: devices.map(({ device, active_visits: visits }) => ({ name: valueName("device_type", device), visits })),
	},
];
