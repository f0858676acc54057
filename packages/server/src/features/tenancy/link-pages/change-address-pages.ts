import { type FormTrouble, isTroubled } from "../../../platform/http/pages/faults.ts";
import { troubleBox } from "../../../platform/http/pages/form.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import type { AddressConfirmation, AddressLink } from "../../people/auth/index.ts";
import { type FormFrame, linkForm, whatNext } from "./form.ts";

export const changeAddressPath = "/change-address";

/** The form that confirms a change; it does not reveal the previous address to readers of the new one's mails. */
export const changeAddressPage = (
	frame: FormFrame,
	token: string,
	{ link, ...trouble }: FormTrouble & { link?: AddressLink } = {},
): Page => ({
	title: "Confirm the change of an e-mail address",
	hasErrors: isTroubled(trouble),
	body: html`${troubleBox(trouble)}
<p>${link && whatFor(link)} Nothing changes until both addresses have confirmed.</p>
${linkForm(frame, changeAddressPath, { hidden: { token }, button: "Confirm the change" })}
<p>If it was not you, close this page: the address stays as it is.</p>`,
});

const whatFor = ({ side, newEmail }: AddressLink): Html =>
	side === "current"
		? html`Your account is to have the address <strong><bdi>${newEmail}</bdi></strong> in place of this one.`
		: html`An account with Footfall is to have the address <strong><bdi>${newEmail}</bdi></strong>. Confirm that it is yours.`;

/** Shown once an address has confirmed. */
export const confirmedChangePage = (
	{ side, newEmail, isChanged }: AddressConfirmation,
	hasDashboard: boolean,
): Page => ({
	title: isChanged ? "The address was changed" : "This address has confirmed",
	body: isChanged
		? html`<p>The account has the address <strong><bdi>${newEmail}</bdi></strong> now: sign in with it. Other sessions were ended.</p>
${hasDashboard ? html`<p><a href="/">Go on to Footfall</a></p>` : whatNext}`
		: html`<p>${
				side === "current"
					? html`Now open the link in the mail to <strong><bdi>${newEmail}</bdi></strong>.`
					: "Now open the link in the mail to the address of before."
			} Until then nothing changes.</p>`,
});

/** Shown for a link that opens nothing. */
export const deadChangePage: Page = {
	title: "This link is no longer valid",
	hasErrors: true,
	body: html`<p>It works once and for 24 hours, and a newer change of the address ends it. If you still want another address, ask for it again in your account.</p>`,
};
