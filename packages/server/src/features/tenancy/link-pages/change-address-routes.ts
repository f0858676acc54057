import type { App } from "../../../platform/http/app.ts";
import type { FormTrouble } from "../../../platform/http/pages/faults.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { showPage, takeForm } from "../../../platform/http/pages/page-routes.ts";
import {
	type AddressConfirmation,
	type AddressLink,
	ConfirmAddressBody,
	confirmAddressChange,
	lookAtAddressLink,
} from "../../people/auth/index.ts";
import {
	type FormFrame,
	formPage,
	guard,
	type LinkPagesDeps,
	linkForm,
	linkPages,
	refusing,
	whatNext,
} from "./page-routes.ts";

const changeAddressPath = "/change-address";

/** The links by which both addresses confirm that an account is to have another one. */
export function registerChangeAddressPages(pages: App, deps: LinkPagesDeps): void {
	const set = linkPages(deps, changeAddressPath);
	const confirm = { url: changeAddressPath, summary: "Confirm a change of an email address", guard };
	const refuse = refusing(
		{},
		() => deadChangePage,
		({ frame, field }, trouble) => changeAddressPage(frame, field("token"), trouble),
	);
	showPage(pages, set, { ...confirm, refuse }, async ({ request, frame, field }) => {
		const token = field("token");
		return changeAddressPage(frame, token, { link: await lookAtAddressLink(deps, token, request.ip) });
	});
	takeForm(pages, set, { ...confirm, refuse, body: ConfirmAddressBody }, async ({ request }, { token }) =>
		confirmedChangePage(await confirmAddressChange(deps, token, request.ip), deps.hasDashboard),
	);
}

/** The form that confirms a change; it does not reveal the previous address to readers of the new one's mails. */
const changeAddressPage = (
	frame: FormFrame,
	token: string,
	{ link, ...trouble }: FormTrouble & { link?: AddressLink } = {},
): Page =>
	formPage(
		"Confirm a change of your email address",
		trouble,
		html`<p>${link && whatFor(link)} Nothing changes until both addresses have confirmed.</p>
${linkForm(frame, changeAddressPath, { hidden: { token }, button: "Confirm change" })}
<p>If this wasn't you, close this page: the address stays the same.</p>`,
	);

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
