import type { App } from "../../../platform/http/app.ts";
import { type FormTrouble, troubleOf } from "../../../platform/http/pages/form.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { type PageSet, showPage, takeForm } from "../../../platform/http/pages/page-routes.ts";
import {
	type AddressConfirmation,
	type AddressLink,
	ConfirmAddressBody,
	checkLink,
	clientOf,
	confirmAddressChange,
	emailField,
	ForgotBody,
	forgotPassword,
	linkSent,
	lookAtAddressLink,
	newPasswordField,
	passwordField,
	ResetBody,
	requestLimits,
	resendVerification,
	resetPassword,
	setSessionCookies,
	VerifyFormBody,
	verifyEmail,
} from "../../people/auth/index.ts";
import {
	boundGuard,
	formPage,
	guard,
	type LinkPagesDeps,
	leadIn,
	linkPages,
	type RefuseVisit,
	refusing,
	resetPath,
	signedInPage,
	type Visit,
	whatNext,
} from "./page-routes.ts";

const labels = { email: "The email address", password: "The password", new_password: "The password" };
const verifyPath = "/verify-email";
const changeAddressPath = "/change-address";

/** Links of mails about somebody's own account: they confirm an address, change it, or lead to a new password. */
export function registerAccountPages(pages: App, deps: LinkPagesDeps): void {
	registerVerifyEmail(pages, deps);
	registerResetPassword(pages, deps);
	registerChangeAddress(pages, deps);
}

function registerVerifyEmail(pages: App, deps: LinkPagesDeps): void {
	const set = linkPages(deps, verifyPath);
	const refuse = refusing(labels, (visit) => askAgainPage(visit, verifyAsking, { isDead: true }), verifyPage);
	const confirm = { url: verifyPath, summary: "Confirm an email address", guard: boundGuard, refuse };
	showPage(pages, set, confirm, async (visit) => {
		const { request, session, field } = visit;
		if (field("token") === "") return askAgainPage(visit, verifyAsking);
		const subject = await checkLink(deps, "email_verification", field("token"), request.ip);
		return verifyPage(visit, {}, String(session?.userId) === subject);
	});
	takeForm(pages, set, { ...confirm, body: VerifyFormBody }, async (visit, body) => {
		const { request, reply, session } = visit;
		const proof = { userId: session?.userId, password: body.password, newPassword: body.new_password };
		const outcome = await verifyEmail(deps, { token: body.token, proof }, clientOf(request));
		if (outcome.kind === "challenge") return leadIn(deps, visit, confirmedPage, "/sign-in?news=address-confirmed");
		setSessionCookies(reply, outcome.secrets, deps.cookieSecure);
		return leadIn(deps, visit, signedInPage(verified, outcome.user.email));
	});
	takeAsking(pages, set, deps, verifyAsking);
}

/** A form below the page of a link that has another link mailed. */
interface Asking {
	readonly url: string;
	readonly summary: string;
	readonly limit: (typeof requestLimits)[keyof typeof requestLimits];
	readonly title: string;
	readonly text: (isDead: boolean) => Html;
	readonly mail: (deps: LinkPagesDeps, email: string) => Promise<void>;
	/** Which addresses get a link. */
	readonly condition: Parameters<typeof linkSent>[1];
}

const verifyAsking: Asking = {
	url: `${verifyPath}/resend`,
	summary: "Ask for another link to confirm an address",
	limit: requestLimits.verificationMail,
	title: "Confirm your email address",
	text: (
		isDead,
	) => html`${isDead && html`<p>It works once, within 24 hours, and a newer email replaces it. If you have already confirmed the address, just sign in.</p>`}
<p>Request another link:</p>`,
	mail: resendVerification,
	condition: "is not confirmed yet",
};

const resetAsking: Asking = {
	url: `${resetPath}/request`,
	summary: "Ask for a link to a new password",
	limit: requestLimits.resetMail,
	title: "Reset password",
	text: (isDead) =>
		html`<p>${
			isDead
				? "It works once, within one hour, and a newer email replaces it. Request another one:"
				: "We'll send you a link, which works once, within one hour."
		}</p>`,
	mail: forgotPassword,
	condition: "has an account",
};

/** The answer is the same for every address. */
function takeAsking(pages: App, set: PageSet<Visit>, deps: LinkPagesDeps, asking: Asking): void {
	const { url, summary, limit, mail, condition } = asking;
	const ask = { url, summary, guard, body: ForgotBody, limit: [limit] };
	const refuse: RefuseVisit = (refusal, visit) =>
		askAgainPage(visit, asking, { email: visit.field("email"), trouble: troubleOf(refusal, labels) });
	takeForm(pages, set, { ...ask, refuse }, async (_visit, { email }) => {
		await mail(deps, email);
		return {
			title: deps.mailer.isOutbox ? "Link requested" : "Check your email",
			body: html`<p>${linkSent(deps.mailer, condition)}.</p>`,
		};
	});
}

interface AskAgain {
	readonly isDead?: boolean;
	readonly email?: string;
	readonly trouble?: FormTrouble;
}

const askAgainPage = (
	visit: Visit,
	asking: Asking,
	{ isDead = false, email = "", trouble = {} }: AskAgain = {},
): Page =>
	formPage(visit, {
		title: isDead ? "This link is no longer valid" : asking.title,
		trouble,
		above: asking.text(isDead),
		action: asking.url,
		hidden: {},
		fields: [emailField(email, trouble.faults?.email)],
		button: "Send link",
	});

/** The form that confirms an address; `isTheirs` when the browser's user has registered it. */
const verifyPage = (visit: Visit, trouble: FormTrouble, isTheirs = false): Page =>
	formPage(visit, {
		title: "Confirm your email address",
		trouble,
		above: html`<p>This address was registered with Footfall. Confirm it to sign in.</p>`,
		action: verifyPath,
		fields: isTheirs ? [] : passwordFields(trouble),
		button: "Confirm address",
		below: html`<p>If you did not register, close this page: the account stays inactive.</p>`,
	});

/** Anybody can register an address: confirming it needs the password, or sets a new one. */
const passwordFields = ({ faults = {} }: FormTrouble) => [
	{ ...passwordField(faults.password), isOptional: true, hint: "The one that you chose when you registered." },
	{
		...newPasswordField(faults.new_password, "Or choose another password"),
		name: "new_password",
		isOptional: true,
		hint: "At least 12 characters. It ends the access of anyone who knows the first password, and of connected apps.",
	},
];

const verified = "The address is confirmed";

/** Shown once the address is confirmed, where sign-in needs a second factor and the application is not installed. */
const confirmedPage: Page = {
	title: verified,
	body: html`<p>You can now sign in with your password and the code of your authenticator app.</p>
${whatNext}`,
};

function registerResetPassword(pages: App, deps: LinkPagesDeps): void {
	const set = linkPages(deps, resetPath);
	const refuse = refusing(labels, (visit) => askAgainPage(visit, resetAsking, { isDead: true }), resetPage);
	const choose = { url: resetPath, summary: "Choose a new password", guard, refuse };
	showPage(pages, set, choose, async (visit) => {
		const token = visit.field("token");
		if (token === "") return askAgainPage(visit, resetAsking);
		await checkLink(deps, "password_reset", token, visit.request.ip);
		return resetPage(visit, {});
	});
	takeForm(pages, set, { ...choose, body: ResetBody }, async (visit, { token, new_password: newPassword }) => {
		const endedSessions = await resetPassword(deps, { token, newPassword }, visit.request.ip);
		// A link in a mail is not enough to be signed in: there may be a second factor.
		return leadIn(deps, visit, resetDonePage(endedSessions), "/sign-in?news=password-changed");
	});
	takeAsking(pages, set, deps, resetAsking);
}

/** The form for a new password, which is never written back. */
const resetPage = (visit: Visit, trouble: FormTrouble): Page =>
	formPage(visit, {
		title: "Choose a new password",
		trouble,
		above: html`<p>A new password ends all your sessions and the access of connected apps.</p>`,
		action: resetPath,
		fields: [{ ...newPasswordField(trouble.faults?.new_password, "New password"), name: "new_password" }],
		button: "Save password",
	});

/** Shown once the password is another one, where there is no application to sign in to. */
const resetDonePage = (endedSessions: number): Page => ({
	title: "Password changed",
	body: html`<p>You can now sign in with it. ${
		endedSessions === 1 ? "One session was ended." : html`${endedSessions} sessions were ended.`
	} Connected apps no longer have access; connect those you use again.</p>
${whatNext}`,
});

function registerChangeAddress(pages: App, deps: LinkPagesDeps): void {
	const set = linkPages(deps, changeAddressPath);
	const refuse = refusing({}, () => deadChangePage, changeAddressPage);
	const confirm = { url: changeAddressPath, summary: "Confirm a change of an email address", guard, refuse };
	showPage(pages, set, confirm, async (visit) =>
		changeAddressPage(visit, {}, await lookAtAddressLink(deps, visit.field("token"), visit.request.ip)),
	);
	takeForm(pages, set, { ...confirm, body: ConfirmAddressBody }, async ({ request }, { token }) =>
		confirmedChangePage(await confirmAddressChange(deps, token, request.ip), deps.hasDashboard),
	);
}

/** The form that confirms a change; it does not reveal the previous address to readers of the new one's mails. */
const changeAddressPage = (visit: Visit, trouble: FormTrouble, link?: AddressLink): Page =>
	formPage(visit, {
		title: "Confirm a change of your email address",
		trouble,
		above: html`<p>${link && whatFor(link)} Nothing changes until both addresses have confirmed.</p>`,
		action: changeAddressPath,
		button: "Confirm change",
		below: html`<p>If this wasn't you, close this page: the address stays the same.</p>`,
	});

const whatFor = ({ side, newEmail }: AddressLink): Html =>
	side === "current"
		? html`Someone asked to change the address of your account to <strong><bdi>${newEmail}</bdi></strong>.`
		: html`<strong><bdi>${newEmail}</bdi></strong> will be the address of an account with Footfall. Confirm that it is yours.`;

/** Shown once an address has confirmed. */
const confirmedChangePage = ({ side, newEmail, isChanged }: AddressConfirmation, hasDashboard: boolean): Page => ({
	title: isChanged ? "Address changed" : "Address confirmed",
	body: isChanged
		? html`<p>The address of the account is now <strong><bdi>${newEmail}</bdi></strong>: sign in with it. Other sessions were ended.</p>
${hasDashboard ? html`<p><a href="/">Continue to Footfall</a></p>` : whatNext}`
		: html`<p>${
				side === "current"
					? html`Now open the link in the email to <strong><bdi>${newEmail}</bdi></strong>.`
					: "Now open the link in the email to the current address."
			} Until then nothing changes.</p>`,
});

/** Shown for a link that opens nothing. */
const deadChangePage: Page = {
	title: "This link is no longer valid",
	hasErrors: true,
	body: html`<p>It works once, within 24 hours, and a newer change replaces it. If you still want to change the address, start again in your account.</p>`,
};
