import type { App } from "../../../platform/http/app.ts";
import { type FormTrouble, isTroubled, troubleOf } from "../../../platform/http/pages/faults.ts";
import { troubleBox } from "../../../platform/http/pages/form.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import { openPages } from "../../../platform/http/pages/open-pages.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { showPage, takeForm } from "../../../platform/http/pages/page-routes.ts";
import {
	type AddressConfirmation,
	type AddressLink,
	ConfirmAddressBody,
	checkLink,
	confirmAddressChange,
	ForgotBody,
	forgotPassword,
	lookAtAddressLink,
	ResetBody,
	requestLimits,
	resetPassword,
} from "../../people/auth/index.ts";
import { registerClaimPages } from "./claim-routes.ts";
import type { LinkPagesDeps } from "./deps.ts";
import { type FormFrame, linkFailurePage, linkForm, whatNext } from "./form.ts";
import { registerInvitationPages } from "./invitation-routes.ts";
import { guard, leadToSignIn, linkPages, type RefuseVisit, referrer } from "./page-routes.ts";
import { refusalPage } from "./refusal.ts";
import { forgotDonePage, forgotPage, resetDonePage, resetPage, resetPath } from "./reset-password-pages.ts";
import { registerVerifyEmailPages } from "./verify-email-routes.ts";

const labels = { email: "The email address", new_password: "The password" };

/** The link by which somebody who forgot the password chooses another, and the form that asks for it. */
function registerResetPasswordPages(pages: App, deps: LinkPagesDeps): void {
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

const changeAddressPath = "/change-address";

/** The form that confirms a change; it does not reveal the previous address to readers of the new one's mails. */
const changeAddressPage = (
	frame: FormFrame,
	token: string,
	{ link, ...trouble }: FormTrouble & { link?: AddressLink } = {},
): Page => ({
	title: "Confirm a change of your email address",
	hasErrors: isTroubled(trouble),
	body: html`${troubleBox(trouble)}
<p>${link && whatFor(link)} Nothing changes until both addresses have confirmed.</p>
${linkForm(frame, changeAddressPath, { hidden: { token }, button: "Confirm change" })}
<p>If this wasn't you, close this page: the address stays the same.</p>`,
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

/**
 * The pages, at the root of the host, that the links of mails lead to. They work without JavaScript, and do what they do by
 * the verbs and within the limits of the API. To open a link changes nothing: a form does.
 */
export function registerLinkPages(app: App, deps: LinkPagesDeps): void {
	openPages(app, { failurePage: linkFailurePage, referrer }, (pages) => {
		registerVerifyEmailPages(pages, deps);
		registerResetPasswordPages(pages, deps);
		registerChangeAddressPages(pages, deps);
		registerInvitationPages(pages, deps);
		registerClaimPages(pages, deps);
	});
}

/** The links by which both addresses confirm that an account is to have another one. */
function registerChangeAddressPages(pages: App, deps: LinkPagesDeps): void {
	const set = linkPages(deps, changeAddressPath);
	const confirm = { url: changeAddressPath, summary: "Confirm a change of an email address", guard };
	const refuse: RefuseVisit = (refusal, { frame, field }) =>
		refusalPage(refusal, {
			labels: {},
			dead: () => deadChangePage,
			form: (trouble) => changeAddressPage(frame, field("token"), trouble),
		});
	showPage(pages, set, { ...confirm, refuse }, async ({ request, frame, field }) => {
		const token = field("token");
		return changeAddressPage(frame, token, { link: await lookAtAddressLink(deps, token, request.ip) });
	});
	takeForm(pages, set, { ...confirm, refuse, body: ConfirmAddressBody }, async ({ request }, { token }) =>
		confirmedChangePage(await confirmAddressChange(deps, token, request.ip), deps.hasDashboard),
	);
}
