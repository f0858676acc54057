import { type FormTrouble, isTroubled } from "../../../platform/http/pages/faults.ts";
import { troubleBox } from "../../../platform/http/pages/form.ts";
import { textFields } from "../../../platform/http/pages/form-fields.ts";
import { html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { emailField, newPasswordField } from "../../people/auth/index.ts";
import { type FormFrame, linkForm, whatNext } from "./form.ts";

export const resetPath = "/reset-password";

/** The form for a new password, which is never written back. */
export const resetPage = (frame: FormFrame, token: string, trouble: FormTrouble = {}): Page => ({
	title: "Choose a new password",
	hasErrors: isTroubled(trouble),
	body: html`${troubleBox(trouble)}
<p>A new password ends all your sessions and the access of connected apps.</p>
${linkForm(frame, resetPath, {
	hidden: { token },
	body: textFields([{ ...newPasswordField(trouble.faults?.new_password, "New password"), name: "new_password" }]),
	button: "Save password",
})}`,
});

/** Shown once the password is another one, where there is no application to sign in to. */
export const resetDonePage = (endedSessions: number): Page => ({
	title: "Password changed",
	body: html`<p>You can now sign in with it. ${
		endedSessions === 1 ? "One session was ended." : html`${endedSessions} sessions were ended.`
	} Connected apps no longer have access; connect those you use again.</p>
${whatNext}`,
});

/** Asks for a mail with a link. */
export const forgotPage = (
	frame: FormFrame,
	{ isDead = false, email = "", ...trouble }: FormTrouble & { isDead?: boolean; email?: string } = {},
): Page => ({
	title: isDead ? "This link is no longer valid" : "Reset password",
	hasErrors: isTroubled(trouble),
	body: html`${troubleBox(trouble)}
<p>${
		isDead
			? "It works once, within one hour, and a newer email replaces it. Request another one:"
			: "We'll send you a link, which works once, within one hour."
	}</p>
${linkForm(frame, `${resetPath}/request`, {
	body: textFields([emailField(email, trouble.faults?.email)]),
	button: "Send link",
})}`,
});

/** Shown for every address alike. */
export const forgotDonePage: Page = {
	title: "Check your email",
	body: html`<p>If the address has an account, we have sent a link.</p>`,
};
