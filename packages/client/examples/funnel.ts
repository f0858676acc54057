// How far visits get: of those with the first event, how many had the second one later.
import { reader, site } from "./connect.ts";

const steps = process.argv.slice(2);
const funnel = await reader().call("POST /stats/funnel", {
	query: { site_id: site, period: "30d" },
	body: { steps: steps.length > 0 ? steps : ["cart", "purchase"] },
});
for (const { step_number, name, count, conversion_rate } of funnel.steps) {
	console.log(`${step_number}. ${name}: ${count} (${conversion_rate} %)`);
}
