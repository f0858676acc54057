import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mail, Mailer } from "../../../platform/outbound/mail/mailer.ts";
import { findUser } from "../../people/users/index.ts";
import { leadersOf } from "../organizations/index.ts";

/** Mails the owners of an organization, as part of a transaction. */
export async function mailOwners(
	trx: Metadata,
	mailer: Pick<Mailer, "queue">,
	organizationId: string,
	mail: Pick<Mail, "subject" | "body">,
): Promise<void> {
	for (const { userId, role } of await leadersOf(trx, organizationId)) {
		const user = role === "owner" ? await findUser(trx, userId) : undefined;
		if (user === undefined || user.is_active === 0) continue;
		const body = [`Hello ${user.name},`, ...mail.body];
		await mailer.queue(trx, { to: user.email, subject: mail.subject, body });
	}
}
