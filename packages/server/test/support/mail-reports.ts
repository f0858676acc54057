import { isQuestion, letAgree } from "./agreed-recipients.ts";
import { mailbox } from "./mailbox.ts";
import type { TestApp } from "./test-app.ts";
import { runJobAt, type WatchedSites } from "./watched-sites.ts";

/** Mails to an address, but for questions whether somebody wants them. */
export const mailsTo = async (app: TestApp, address: string) =>
	(await mailbox(app).to(address)).filter((mail) => !isQuestion(mail));

/** Lets the reports go out as at a moment. */
export const sendReportsAt = (app: TestApp, moment: string) => runJobAt(app, "mail-reports", moment);

/** Adds a report whose recipients have agreed. */
export async function addReport(
	watched: WatchedSites,
	site: string,
	body: { readonly recipients: readonly string[]; readonly [field: string]: unknown },
) {
	const report = { frequency: "weekly", ...body };
	const { data } = await watched.call("POST", `/mail-reports?account_id=${site}`, report);
	await letAgree(watched.app, site, body.recipients);
	return data;
}
