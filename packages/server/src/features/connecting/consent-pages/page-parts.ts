import { failurePage } from "../../../platform/http/pages/error-pages.ts";
import { form } from "../../../platform/http/pages/form.ts";
import { formTokenField } from "../../../platform/http/pages/form-token.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";

/** An app that asks for access, as far as it is known. All of it was chosen by the author of the app. */
export interface AskingClient {
	readonly clientId: string;
	readonly clientName: string;
	/** Where the answer goes. */
	readonly redirectUri: string;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

type Destination = Pick<AskingClient, "redirectUri">;

/** True when the answer stays on the device: it goes to a program that listens there, or that a scheme starts. */
function staysOnDevice({ redirectUri }: Destination): boolean {
	const { protocol, hostname } = new URL(redirectUri);
	return protocol !== "https:" || LOOPBACK.test(hostname);
}

/** Where the answer goes, in words that cannot be mistaken for a link or for another host. */
export function destinationOf(client: Destination): Html {
	const { protocol, host } = new URL(client.redirectUri);
	const place = html`<strong>${protocol === "http:" || protocol === "https:" ? host : protocol}</strong>`;
	return staysOnDevice(client) ? html`an app on this device (${place})` : place;
}

/** Warning about the identity of the app's operator: known by a document at an address of its own, or not at all. */
export function warningOn({ clientId, redirectUri }: AskingClient): Html {
	if (clientId.startsWith("https://")) {
		const onDevice = LOOPBACK.test(new URL(redirectUri).hostname);
		const impostors = onDevice ? html` Any program on this device could use that name.` : html``;
		return html`<p>The app is described at <strong>${new URL(clientId).host}</strong>. It has not been reviewed.${impostors}</p>`;
	}
	return html`<p>The app chose its own name and has not been reviewed. Continue only if you started this
yourself, and want ${destinationOf({ redirectUri })} to read your statistics.</p>`;
}

/** Shown for a request that never was, was decided, or is older than half an hour. */
export const requestGonePage: Page = {
	title: "This request has ended",
	body: html`<p>It was already answered, is older than 30 minutes, or does not exist.</p>
<p>Go back to the app and connect it again.</p>`,
};

/** Shown to a superadmin who acts as somebody else. */
export const impersonatingPage: Page = {
	title: "Not during impersonation",
	body: html`<p>Only users themselves can give apps access. End the impersonation first.</p>`,
};

/** Shown where signing up opens no session, so that the mail names the next step. */
export const mailSentPage = (requestId: string): Page => ({
	title: "Check your email",
	body: html`<p>We sent you an email. Its link confirms your address and activates your account.</p>
<p>Then come back to this page and <a href="${pageOf(requestId)}">sign in</a>.</p>`,
});

/** Shown while the browser goes back to the app. */
export const goingBackPage = (client: AskingClient, decision: "approve" | "deny", redirectTo: string): Page => ({
	title: decision === "approve" ? "Access is allowed" : "Access is denied",
	body: html`<p>You are being sent back to ${destinationOf(client)}.${staysOnDevice(client) && " Once it has opened, you can close this window."}</p>
<p>Nothing happened? <a href="${redirectTo}">Go back to the app</a></p>`,
});

/** Shown for an unexpected error. */
export const consentFailurePage = failurePage("Go back to the page before, or to the app, and try again.");

/** Where these pages live, at the root of the host. */
export const consentPath = "/oauth/consent";

/** Common fields of a request's forms. */
export interface FormFrame {
	readonly requestId: string;
	/** Shows that the form came from these pages. */
	readonly formToken: string;
	/** Whether strangers may make accounts. */
	readonly maySignUp: boolean;
}

/** Address of a page of a request. */
export const pageOf = (requestId: string, page = ""): string =>
	`${consentPath}${page}?request_id=${encodeURIComponent(requestId)}`;

/** Hidden common fields of a request's forms. */
export const hiddenIn = (frame: FormFrame, more: Readonly<Record<string, string>> = {}) => ({
	request_id: frame.requestId,
	[formTokenField]: frame.formToken,
	...more,
});

/** A form that goes back to these pages. */
export const consentForm = (frame: FormFrame, action: string, body: Html): Html =>
	form(consentPath + action, { hidden: hiddenIn(frame), body });
