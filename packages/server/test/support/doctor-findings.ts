import { examine } from "../../src/cli/doctor/examine.ts";
import type { Finding } from "../../src/cli/doctor/finding.ts";
import { makePrivate } from "../../src/platform/files/make-directory.ts";
import { systemClock } from "../../src/platform/lib/clock.ts";
import type { TestApp } from "./test-app.ts";

export interface Around {
	readonly env?: Readonly<Record<string, string>>;
	/** Milliseconds by which the doctor's clock is ahead of the machine's. */
	readonly ahead?: number;
	readonly app?: TestApp;
}

export async function findings(dataDir: string, { env = {}, ahead = 0, app }: Around = {}): Promise<Finding[]> {
	const address = await app?.address();
	// As a start does: the process of the tests lets others read.
	if (app !== undefined) makePrivate(dataDir);
	const service =
		address === undefined
			? undefined
			: { dataDir, address, rootUrl: address, needs: [], roles: ["collect", "api", "jobs"] };
	return examine({
		env: { NODE_ENV: "test", DATA_DIR: dataDir, ...env },
		clock: { ...systemClock, now: () => Date.now() + ahead },
		serviceOn: () => service,
		asksSites: true,
		// The machine of the tests may be busy.
		answerMs: 100_000,
	});
}

/** Findings to mend, without those on speed and load of the test machine. */
export const ills = (found: readonly Finding[]) =>
	found
		.filter(({ check, level }) => (level === "warning" || level === "fault") && check !== "disk" && check !== "memory")
		.map(({ check, level, message }) => `${level} ${check}: ${message}`);
