import { failurePage } from "../../../platform/http/pages/error-pages.ts";
import { html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { type AskingClient, destinationOf, staysOnDevice } from "./describe-client.ts";
import { pageOf } from "./form-frame.ts";

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
