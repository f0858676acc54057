import { isRecord } from "../../platform/lib/is-record.ts";
import { askService } from "../ask-service.ts";
import { codeOf, type Finding, findingsOf } from "./finding.ts";
import type { Examine } from "./patient.ts";

const service = findingsOf("service");

/** Remedies by failed check of `/readyz`. */
const fixes: Readonly<Record<string, string>> = {
	database: "The log names the store that does not answer; hits are kept meanwhile",
	migrations: "The log says why the tables are not up to date; a newer version may have used the stores",
	storage: "Make room on the disk of DATA_DIR: hits cannot be kept",
};

/** The service that runs on the data directory: that it answers and is ready. */
export const examineService: Examine = async ({ service: running, answerMs: timeoutMs }) => {
	if (running === undefined) return [service.note("No service runs on DATA_DIR", "footfall start")];
	try {
		const { status, body } = await askService(`${running.address}/readyz`, { timeoutMs });
		if (status === 200) return [service.ok("The service is ready")];
		return describeFailures(body);
	} catch (error) {
		const fix = "Look at its log; while its certificate is being issued it answers nothing by TLS";
		return [service.fault(`The service runs and does not answer (${codeOf(error)})`, fix)];
	}
};

function describeFailures(body: string): Finding[] {
	const checks: unknown = Object(JSON.parse(body)).checks;
	const failed = Object.entries(isRecord(checks) ? checks : {}).filter(([, state]) => state !== "ok");
	return failed.map(([name]) =>
		service.fault(`The service is not ready: ${name} failed`, fixes[name] ?? "Look at its log"),
	);
}
