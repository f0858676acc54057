import { noMailServer } from "../../features/operating/system/index.ts";
import { isOpenToOthers, smtpTransport } from "../../platform/outbound/mail/smtp.ts";
import type { Examine } from "./finding.ts";
import { codeOf, findingOf, findingsOf } from "./finding.ts";

const mail = findingsOf("mail");

const unreached = "Correct the host and port in SMTP_URL, or allow the connection in the firewall";
const fixes: Readonly<Record<string, string>> = {
	EAUTH: "Correct the user and password in SMTP_URL (percent-encode % @ : and /)",
	EDNS: "Correct the host in SMTP_URL",
	ECONNECTION: unreached,
	ESOCKET: unreached,
	ETLS: "Use smtps: in SMTP_URL, or install a valid certificate on the server (NODE_EXTRA_CA_CERTS for a private CA)",
};

/** The mail server, up to its greeting and the sign-in: nothing is sent. */
export const examineMail: Examine = async ({ config: { smtpUrl }, answerMs }) => {
	if (smtpUrl === undefined) return [findingOf("mail", noMailServer)];
	try {
		await smtpTransport(smtpUrl, limitsOf(answerMs)).check();
		const open = mail.warning(
			"Mails may be sent unencrypted, or to a server whose certificate is not verified",
			"Use smtp+tls: or smtps: in SMTP_URL: links in mails open accounts",
		);
		return [mail.ok("The mail server accepts the login"), ...(isOpenToOthers(smtpUrl) ? [open] : [])];
	} catch (error) {
		const code = codeOf(error);
		return [
			mail.fault(
				`The mail server refuses the login (${code})`,
				fixes[code] ?? "Check the host, port and password in SMTP_URL",
			),
		];
	}
};

const limitsOf = (ms: number) => ({ dnsTimeout: ms, connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms });
