import { isOpenToOthers, smtpTransport } from "../../platform/outbound/mail/smtp.ts";
import { codeOf, findingsOf } from "./finding.ts";
import type { Examine } from "./patient.ts";

const mail = findingsOf("mail");

const unreached = "Correct host and port in SMTP_URL, or let a firewall pass it";
const fixes: Readonly<Record<string, string>> = {
	EAUTH: "Correct user and password in SMTP_URL (a % @ : or / in them is percent-encoded)",
	EDNS: "Correct the host in SMTP_URL",
	ECONNECTION: unreached,
	ESOCKET: unreached,
	ETLS: "Use smtps: in SMTP_URL, or give the server a valid certificate (NODE_EXTRA_CA_CERTS for an authority of your own)",
};

/** The mail server, up to its greeting and the sign-in: nothing is sent. */
export const examineMail: Examine = async ({ config: { smtpUrl }, answerMs }) => {
	if (smtpUrl === undefined) {
		return [
			mail.note(
				"Mails are files in DATA_DIR/outbox",
				"Set SMTP_URL for invitations, resets and alerts to reach people",
			),
		];
	}
	try {
		await smtpTransport(smtpUrl, limitsOf(answerMs)).check();
		const open = mail.warning(
			"Mails may leave unencrypted, or to a server whose certificate is not checked",
			"Use smtp+tls: or smtps: in SMTP_URL: links in mails open accounts",
		);
		return [mail.ok("The mail server accepts us"), ...(isOpenToOthers(smtpUrl) ? [open] : [])];
	} catch (error) {
		const code = codeOf(error);
		return [
			mail.fault(
				`The mail server does not accept us (${code})`,
				fixes[code] ?? "Look at host, port and password in SMTP_URL",
			),
		];
	}
};

const limitsOf = (ms: number) => ({ dnsTimeout: ms, connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms });
