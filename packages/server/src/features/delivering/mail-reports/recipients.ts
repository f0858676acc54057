import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { normalizeEmail } from "../../people/users/index.ts";
import type { SiteMailDeps } from "../mail-recipients/index.ts";
import { askStrangers, type Standing, standingsOf } from "../mail-recipients/index.ts";
import { listRecipients, type RecipientRow, type ReportRow, replaceRecipients } from "./store.ts";

export interface MailReportDeps extends SiteMailDeps {
	readonly eventStore: EventStore;
	readonly log: Log;
}

/** Whether a recipient gets mails, and why not. */
export const recipientStatuses = [
	"active",
	"unsubscribed",
	"bounced",
	"deactivated",
	"unconfirmed",
	"no_access",
] as const;
type RecipientStatus = (typeof recipientStatuses)[number];

export interface Recipient {
	readonly email: string;
	readonly status: RecipientStatus;
}

/** Makes these addresses the recipients of a report; those who have nothing to do with the site are asked first. */
export async function chooseRecipients(
	deps: SiteMailDeps,
	trx: Metadata,
	{ id, site_id: siteId }: Pick<ReportRow, "id" | "site_id">,
	addresses: readonly string[],
): Promise<void> {
	const emails = [...new Set(addresses.map(normalizeEmail))];
	await replaceRecipients(trx, id, emails);
	await askStrangers(deps, trx, { siteId, emails });
}

const statuses: Readonly<Record<Standing["name"], RecipientStatus>> = {
	user: "active",
	agreed: "active",
	asked: "unconfirmed",
	refused: "unsubscribed",
	deactivated: "deactivated",
	// Somebody who could open the site and no longer can, or did not answer in time.
	stranger: "no_access",
};

function statusOf({ refusedAt, bouncedAt }: RecipientRow, standing: Standing | undefined): RecipientStatus {
	if (refusedAt !== null) return "unsubscribed";
	if (bouncedAt !== null) return "bounced";
	return standing === undefined ? "no_access" : statuses[standing.name];
}

/** The recipients of reports of one site, by report, as they stand at a moment. */
export async function recipientsOf(
	metadata: Metadata,
	{ siteId, nowMs }: { readonly siteId: string; readonly nowMs: number },
	reports: readonly Pick<ReportRow, "id">[],
): Promise<ReadonlyMap<number, readonly Recipient[]>> {
	const found = new Map<number, Recipient[]>(reports.map(({ id }) => [id, []]));
	const rows = await listRecipients(metadata, siteId, [...found.keys()]);
	const emails = [...new Set(rows.map(({ email }) => email))];
	const standings = new Map(
		(await standingsOf(metadata, { siteId, emails, nowMs })).map((standing) => [standing.email, standing]),
	);
	for (const row of rows) {
		found.get(row.reportId)?.push({ email: row.email, status: statusOf(row, standings.get(row.email)) });
	}
	return found;
}
