import type { App } from "../../../platform/http/app.ts";
import { type FormTrouble, troubleOf } from "../../../platform/http/pages/faults.ts";
import { textFields } from "../../../platform/http/pages/form-fields.ts";
import { html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { showPage, takeForm } from "../../../platform/http/pages/page-routes.ts";
import {
	checkLink,
	clientOf,
	emailField,
	ForgotBody,
	newPasswordField,
	passwordField,
	requestLimits,
	resendVerification,
	setSessionCookies,
	VerifyFormBody,
	verifyEmail,
} from "../../people/auth/index.ts";
import {
	boundGuard,
	type FormFrame,
	formPage,
	guard,
	type LinkPagesDeps,
	leadIn,
	leadToSignIn,
	linkForm,
	linkPages,
	type RefuseVisit,
	refusing,
	requestedPage,
	signedInPage,
	whatNext,
} from "./page-routes.ts";

const labels = { email: "The email address", password: "The password", new_password: "The password" };

export function registerVerifyEmailPages(pages: App, deps: LinkPagesDeps): void {
	const set = linkPages(deps, verifyPath);
	const confirm = { url: verifyPath, summary: "Confirm an email address", guard: boundGuard };
	const refuse = refusing(
		labels,
		({ frame }) => resendPage(frame, { isDead: true }),
		({ frame, field }, trouble) => verifyPage(frame, field("token"), trouble),
	);
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
		return leadIn(deps, visit, signedInPage(verified, outcome.user.email));
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
		return requestedPage(deps.mailer, "is not confirmed yet");
	});
}

const verifyPath = "/verify-email";

/** The form that confirms an address; `isTheirs` when the browser's user has registered it. */
const verifyPage = (
	frame: FormFrame,
	token: string,
	{ isTheirs = false, ...trouble }: FormTrouble & { isTheirs?: boolean } = {},
): Page =>
	formPage(
		"Confirm your email address",
		trouble,
		html`<p>This address was registered with Footfall. Confirm it to sign in.</p>
${linkForm(frame, verifyPath, {
	hidden: { token },
	button: "Confirm address",
	...(!isTheirs && { body: textFields(passwordFields(trouble)) }),
})}
<p>If you did not register, close this page: the account stays inactive.</p>`,
	);

/** Anybody can register an address: confirming it needs the password, or sets a new one. */
const passwordFields = ({ faults = {} }: FormTrouble) =>
	[
		{
			...passwordField(faults.password),
			isOptional: true,
			hint: "The one that you chose when you registered.",
		},
		{
			...newPasswordField(faults.new_password, "Or choose another password"),
			name: "new_password",
			isOptional: true,
			hint: "At least 12 characters. It ends the access of anyone who knows the first password, and of connected apps.",
		},
	] as const;

const verified = "The address is confirmed";

/** Shown once the address is confirmed, where sign-in needs a second factor and the application is not installed. */
const confirmedPage: Page = {
	title: verified,
	body: html`<p>You can now sign in with your password and the code of your authenticator app.</p>
${whatNext}`,
};

const resendPage = (
	frame: FormFrame,
	{ isDead = false, email = "", ...trouble }: FormTrouble & { isDead?: boolean; email?: string } = {},
): Page =>
	formPage(
		isDead ? "This link is no longer valid" : "Confirm your email address",
		trouble,
		html`${isDead && html`<p>It works once, within 24 hours, and a newer email replaces it. If you have already confirmed the address, just sign in.</p>`}
<p>Request another link:</p>
${linkForm(frame, `${verifyPath}/resend`, {
	body: textFields([emailField(email, trouble.faults?.email)]),
	button: "Send link",
})}`,
	);
