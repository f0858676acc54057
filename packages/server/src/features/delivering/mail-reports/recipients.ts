import { findSiteFor } from "../../../access/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { findUserByEmail, normalizeEmail } from "../../accounts/users/index.ts";
import { listRecipients, type RecipientRow, type ReportRow } from "./store.ts";

/** Whether a recipient gets mails, and why not. */
export const recipientStatuses = ["active", "unsubscribed", "bounced", "deactivated", "no_access"] as const;
export type RecipientStatus = (typeof recipientStatuses)[number];

/** A recipient of a report. */
export interface Recipient {
	readonly email: string;
	readonly status: RecipientStatus;
}

/** Addresses with the users who can open the site under them. */
export async function chosenRecipients(metadata: Metadata, siteId: string, addresses: readonly string[]) {
	const emails = [...new Set(addresses.map(normalizeEmail))];
	return Promise.all(
		emails.map(async (email) => {
			const user = await findUserByEmail(metadata, email);
			const isMember = user !== undefined && (await canOpen(metadata, siteId, user.id));
			return { email, memberId: isMember ? user.id : null };
		}),
	);
}

async function canOpen(metadata: Metadata, siteId: string, userId: number): Promise<boolean> {
	return (await findSiteFor(metadata, siteId, userId))?.role !== undefined;
}

/** What keeps mails from a recipient: the first that applies. */
const obstacles: readonly {
	readonly status: RecipientStatus;
	readonly stands: (metadata: Metadata, siteId: string, row: RecipientRow) => boolean | Promise<boolean>;
}[] = [
	{ status: "unsubscribed", stands: (_metadata, _site, { refusedAt }) => refusedAt !== null },
	{ status: "bounced", stands: (_metadata, _site, { bouncedAt }) => bouncedAt !== null },
	{ status: "deactivated", stands: (_metadata, _site, { userIsActive }) => userIsActive === 0 },
	{
		// Whoever got the mails as somebody of the site gets none when that is over, or under an address that was given up.
		status: "no_access",
		stands: async (metadata, siteId, { memberId, userId }) =>
			memberId !== null && (userId !== memberId || !(await canOpen(metadata, siteId, memberId))),
	},
];

async function statusOf(metadata: Metadata, siteId: string, row: RecipientRow): Promise<RecipientStatus> {
	for (const { status, stands } of obstacles) if (await stands(metadata, siteId, row)) return status;
	return "active";
}

/** The recipients of reports of one site, by report. */
export async function recipientsOf(
	metadata: Metadata,
	siteId: string,
	reports: readonly Pick<ReportRow, "id">[],
): Promise<ReadonlyMap<number, readonly Recipient[]>> {
	const found = new Map<number, Recipient[]>(reports.map(({ id }) => [id, []]));
	for (const row of await listRecipients(metadata, siteId, [...found.keys()])) {
		found.get(row.reportId)?.push({ email: row.email, status: await statusOf(metadata, siteId, row) });
	}
	return found;
}
