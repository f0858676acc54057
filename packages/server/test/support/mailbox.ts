import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Jobs } from "../../src/platform/jobs/jobs.ts";
import { parseMail, type ReceivedMail } from "./parse-mail.ts";

/** The mails that an app has sent. */
export interface Mailbox {
	/** Does what is due by the app's clock; then the mails to an address, oldest first. */
	to(address: string): Promise<ReceivedMail[]>;
	/** The same for every address. */
	all(): Promise<ReceivedMail[]>;
}

/** Reads the outbox of an app that has no mail server. */
export function mailbox(app: { jobs: Jobs; dataDir?: string; config?: { dataDir: string } }): Mailbox {
	const outbox = join(app.dataDir ?? app.config?.dataDir ?? "", "outbox");
	const all = async () => {
		await app.jobs.runDue();
		if (!existsSync(outbox)) return [];
		const files = readdirSync(outbox).filter((file) => file.endsWith(".eml"));
		return files.sort().map((file) => parseMail(readFileSync(join(outbox, file), "utf8")));
	};
	return { all, to: async (address) => (await all()).filter((mail) => mail.to === address) };
}
