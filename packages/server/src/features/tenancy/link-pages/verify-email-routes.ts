import type { App } from "../../../platform/http/app.ts";
import { troubleOf } from "../../../platform/http/pages/faults.ts";
import { showPage, takeForm } from "../../../platform/http/pages/page-routes.ts";
import {
	checkLink,
	clientOf,
	ForgotBody,
	requestLimits,
	resendVerification,
	setSessionCookies,
	VerifyFormBody,
	verifyEmail,
} from "../../people/auth/index.ts";
import type { LinkPagesDeps } from "./deps.ts";
import { boundGuard, guard, leadIn, leadToSignIn, linkPages, type RefuseVisit } from "./page-routes.ts";
import { refusalPage } from "./refusal.ts";
import { confirmedPage, resendPage, resentPage, verifiedPage, verifyPage, verifyPath } from "./verify-email-pages.ts";

const labels = { email: "The email address", password: "The password", new_password: "The password" };

/** The link by which somebody who registered confirms the address. */
export function registerVerifyEmailPages(pages: App, deps: LinkPagesDeps): void {
	const set = linkPages(deps, verifyPath);
	const confirm = { url: verifyPath, summary: "Confirm an email address", guard: boundGuard };
	const refuse: RefuseVisit = (refusal, { frame, field }) =>
		refusalPage(refusal, {
			labels,
			dead: () => resendPage(frame, { isDead: true }),
			form: (trouble) => verifyPage(frame, field("token"), trouble),
		});
	showPage(pages, set, { ...confirm, refuse }, async ({ request, session, frame, field }) => {
		const token = field("token");
		if (token === "") return resendPage(frame);
		const subject = await checkLink(deps, "email_verification", token, request.ip);
		return verifyPage(frame, token, { isTheirs: String(session?.userId) === subject });
	});
	takeForm(pages, set, { ...confirm, refuse, body: VerifyFormBody }, async (visit, body) => {
		const { request, reply, session } = visit;
		const proof = { userId: session?.userId, password: body.password, newPassword: body.new_password };
		const outcome = await verifyEmail(deps, { token: body.token, proof }, clientOf(request));
		if (outcome.kind === "challenge") {
			return leadToSignIn(deps, visit, { news: "address-confirmed", end: confirmedPage });
		}
		setSessionCookies(reply, outcome.secrets, deps.cookieSecure);
		return leadIn(deps, visit, verifiedPage(outcome.user.email));
	});
	const resend = {
		url: `${verifyPath}/resend`,
		summary: "Ask for another link to confirm an address",
		guard,
		body: ForgotBody,
		limit: [requestLimits.verificationMail],
	};
	const again: RefuseVisit = (refusal, { frame, field }) =>
		resendPage(frame, { email: field("email"), ...troubleOf(refusal, labels) });
	takeForm(pages, set, { ...resend, refuse: again }, async (_visit, { email }) => {
		await resendVerification(deps, email);
		return resentPage;
	});
}
