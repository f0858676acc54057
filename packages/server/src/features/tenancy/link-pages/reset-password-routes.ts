import type { App } from "../../../platform/http/app.ts";
import { type FormTrouble, troubleOf } from "../../../platform/http/pages/faults.ts";
import { textFields } from "../../../platform/http/pages/form-fields.ts";
import { html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { showPage, takeForm } from "../../../platform/http/pages/page-routes.ts";
import {
	checkLink,
	emailField,
	ForgotBody,
	forgotPassword,
	newPasswordField,
	ResetBody,
	requestLimits,
	resetPassword,
} from "../../people/auth/index.ts";
import {
	type FormFrame,
	formPage,
	guard,
	type LinkPagesDeps,
	leadToSignIn,
	linkForm,
	linkPages,
	type RefuseVisit,
	refusing,
	requestedPage,
	resetPath,
	whatNext,
} from "./page-routes.ts";

const labels = { email: "The email address", new_password: "The password" };

/** The link by which somebody who forgot the password chooses another, and the form that asks for it. */
export function registerResetPasswordPages(pages: App, deps: LinkPagesDeps): void {
	const set = linkPages(deps, resetPath);
	const choose = { url: resetPath, summary: "Choose a new password", guard };
	const refuse = refusing(
		labels,
		({ frame }) => forgotPage(frame, { isDead: true }),
		({ frame, field }, trouble) => resetPage(frame, field("token"), trouble),
	);
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
		return requestedPage(deps.mailer, "has an account");
	});
}

/** The form for a new password, which is never written back. */
const resetPage = (frame: FormFrame, token: string, trouble: FormTrouble = {}): Page =>
	formPage(
		"Choose a new password",
		trouble,
		html`<p>A new password ends all your sessions and the access of connected apps.</p>
${linkForm(frame, resetPath, {
	hidden: { token },
	body: textFields([{ ...newPasswordField(trouble.faults?.new_password, "New password"), name: "new_password" }]),
	button: "Save password",
})}`,
	);

/** Shown once the password is another one, where there is no application to sign in to. */
const resetDonePage = (endedSessions: number): Page => ({
	title: "Password changed",
	body: html`<p>You can now sign in with it. ${
		endedSessions === 1 ? "One session was ended." : html`${endedSessions} sessions were ended.`
	} Connected apps no longer have access; connect those you use again.</p>
${whatNext}`,
});

const forgotPage = (
	frame: FormFrame,
	{ isDead = false, email = "", ...trouble }: FormTrouble & { isDead?: boolean; email?: string } = {},
): Page =>
	formPage(
		isDead ? "This link is no longer valid" : "Reset password",
		trouble,
		html`<p>${
			isDead
				? "It works once, within one hour, and a newer email replaces it. Request another one:"
				: "We'll send you a link, which works once, within one hour."
		}</p>
${linkForm(frame, `${resetPath}/request`, {
	body: textFields([emailField(email, trouble.faults?.email)]),
	button: "Send link",
})}`,
	);
