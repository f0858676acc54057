import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";

/** The answer to a request for a link, the same for every address; `condition` says which addresses get one. */
export const linkSent = (
	{ isOutbox }: Pick<Mailer, "isOutbox">,
	condition: "has an account" | "is not confirmed yet",
): string =>
	isOutbox
		? `This server doesn't send email. If the address ${condition}, its operator finds a link in DATA_DIR/outbox`
		: `If the address ${condition}, we have sent a link`;
