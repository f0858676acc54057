import type { App } from "../../../platform/http/app.ts";
import { troubleOf } from "../../../platform/http/pages/faults.ts";
import { showPage, takeForm } from "../../../platform/http/pages/page-routes.ts";
import {
	checkLink,
	ForgotBody,
	forgotPassword,
	ResetBody,
	requestLimits,
	resetPassword,
} from "../../people/auth/index.ts";
import type { LinkPagesDeps } from "./deps.ts";
import { guard, leadToSignIn, linkPages, type RefuseVisit } from "./page-routes.ts";
import { refusalPage } from "./refusal.ts";
import { forgotDonePage, forgotPage, resetDonePage, resetPage, resetPath } from "./reset-password-pages.ts";

const labels = { email: "The e-mail address", new_password: "The password" };

/** The link by which somebody who forgot the password chooses another, and the form that asks for it. */
export function registerResetPasswordPages(pages: App, deps: LinkPagesDeps): void {
	const set = linkPages(deps, resetPath);
	const choose = { url: resetPath, summary: "Choose a new password", guard };
	const refuse: RefuseVisit = (refusal, { frame, field }) =>
		refusalPage(refusal, {
			labels,
			dead: () => forgotPage(frame, { isDead: true }),
			form: (trouble) => resetPage(frame, field("token"), trouble),
		});
	showPage(pages, set, { ...choose, refuse }, async ({ request, frame, field }) => {
		const token = field("token");
		if (token === "") return forgotPage(frame);
		await checkLink(deps, "password_reset", token, request.ip);
		return resetPage(frame, token);
	});
	takeForm(pages, set, { ...choose, refuse, body: ResetBody }, async (visit, body) => {
		const reset = { token: body.token, newPassword: body.new_password };
		const endedSessions = await resetPassword(deps, reset, visit.request.ip);
		// A link in a mail is not enough to be signed in: there may be a second factor.
		return leadToSignIn(deps, visit, { news: "password-changed", end: resetDonePage(endedSessions) });
	});
	const ask = {
		url: `${resetPath}/request`,
		summary: "Ask for a link to a new password",
		guard,
		body: ForgotBody,
		limit: [requestLimits.resetMail],
	};
	const again: RefuseVisit = (refusal, { frame, field }) =>
		forgotPage(frame, { email: field("email"), ...troubleOf(refusal, labels) });
	takeForm(pages, set, { ...ask, refuse: again }, async (_visit, { email }) => {
		await forgotPassword(deps, email);
		return forgotDonePage;
	});
}
