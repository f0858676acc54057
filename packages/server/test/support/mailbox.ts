import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Jobs } from "../../src/platform/jobs/jobs.ts";
import { parseMail, type ReceivedMail } from "./parse-mail.ts";

/** Reads the outbox of an app that has no mail server, once what is due by its clock is done: oldest mails first. */
export function mailbox(app: { jobs: Jobs; dataDir?: string; config?: { dataDir: string } }) {
	const outbox = join(app.dataDir ?? app.config?.dataDir ?? "", "outbox");
	const all = async (): Promise<ReceivedMail[]> => {
		await app.jobs.runDue();
		if (!existsSync(outbox)) return [];
		const files = readdirSync(outbox).filter((file) => file.endsWith(".eml"));
		return files.sort().map((file) => parseMail(readFileSync(join(outbox, file), "utf8")));
	};
	return { all, to: async (address: string) => (await all()).filter((mail) => mail.to === address) };
}

/** The token of the newest link with one that was mailed to an address; empty without one. */
export async function mailedToken(app: Parameters<typeof mailbox>[0], address: string): Promise<string> {
	const links = (await mailbox(app).to(address)).flatMap((mail) => mail.links);
	const link = links.findLast((candidate) => candidate.includes("token="));
	return new URL(link ?? "https://no.link").searchParams.get("token") ?? "";
}
