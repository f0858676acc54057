// Makes a file of a month's conversions, waits until it is ready, and writes it to disk as it arrives.
import { writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { reader, site } from "./connect.ts";

const [, , target = "conversions.csv", date_from = "2026-11-01", date_to = "2026-11-30"] = process.argv;
const footfall = reader();
let { job } = await footfall.call("POST /exports", {
	query: { account_id: site },
	body: { export_type: "conversions", format: "csv", date_from, date_to },
});
while (job.status !== "completed") {
	if (job.status === "failed" || job.status === "expired") throw new Error(job.error_message ?? job.status);
	await pause(2_000);
	job = await footfall.call("GET /exports/{job_id}", { path: { job_id: job.job_id }, query: { account_id: site } });
}
const file = await footfall.send("GET /exports/download/{download_token}", {
	path: { download_token: new URL(job.download_url ?? "").pathname.split("/").at(-1) ?? "" },
	query: { account_id: site },
});
await writeFile(target, file.body ?? "");
console.log(`${job.actual_rows} rows in ${target}`);
