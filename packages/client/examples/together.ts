// Several reports in one request; each answer has the type of its report, and one that fails leaves the others.
import { report } from "footfall-client";
import { reader, site } from "./connect.ts";

const { week, countries, unknown } = await reader().batch({
	week: report("GET /stats/overview", { site_id: site, period: "7d" }),
	countries: report("GET /stats/geo/countries", { site_id: site, period: "7d" }),
	unknown: report("GET /stats/overview", { site_id: `${site}-of-nobody` }),
});
if (week.error) throw week.error;
if (countries.error) throw countries.error;
console.log(`${week.answer.traffic.entrances} visits from ${countries.answer.total} countries`);
if (unknown.error) console.log(`The third question failed: ${unknown.error.code}`);
