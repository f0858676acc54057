import type { App } from "../../../platform/http/app.ts";
import type { FormTrouble } from "../../../platform/http/pages/form.ts";
import { html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { showPage, takeForm } from "../../../platform/http/pages/page-routes.ts";
import { clientOf, nameField, newPasswordField, setSessionCookies } from "../../people/auth/index.ts";
import {
	ClaimBody,
	checkClaimLink,
	claimResendLimits,
	claimSite,
	ResendClaimBody,
	resendClaim,
} from "../provisioning/index.ts";
import {
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
} from "./page-routes.ts";

const labels = { name: "The name", password: "The password" };

export function registerClaimPages(pages: App, deps: LinkPagesDeps): void {
	const set = linkPages(deps, claimPath);
	const claim = { url: claimPath, summary: "Claim a site that was set up for somebody", guard };
	const refuse = refusing(
		labels,
		() => claimDeadPage,
		(visit, trouble) => claimPage(visit, trouble, visit.field("name")),
	);
	const again = refusing(labels, () => claimDeadPage, resendClaimPage);
	const lookUp: RefuseVisit = (refusal, visit) => (isForResending(visit) ? again : refuse)(refusal, visit);
	showPage(pages, set, { ...claim, refuse: lookUp }, async (visit) => {
		const isResending = isForResending(visit);
		const token = visit.field(isResending ? "resend" : "token");
		await checkClaimLink(deps, isResending ? "provision_claim_resend" : "provision_claim", token, visit.request.ip);
		return (isResending ? resendClaimPage : claimPage)(visit, {});
	});
	takeForm(pages, set, { ...claim, refuse, body: ClaimBody }, async (visit, body) => {
		const { request, reply } = visit;
		const outcome = await claimSite(deps, body, clientOf(request));
		// A user who has just set the first password has no second factor.
		if (outcome.kind === "challenge")
			throw new Error("A site that nobody had claimed has an owner with a second factor");
		setSessionCookies(reply, outcome.secrets, deps.cookieSecure);
		return leadIn(deps, visit, signedInPage("The site is now yours", outcome.user.email));
	});
	const url = `${claimPath}/resend`;
	const resend = { url, summary: "Have the claim mail sent again", guard, limit: claimResendLimits };
	takeForm(pages, set, { ...resend, refuse: again, body: ResendClaimBody }, async ({ request }, { token }) => {
		await resendClaim(deps, token, request.ip);
		return claimResentPage;
	});
}

const isForResending = ({ field }: Visit): boolean => field("resend") !== "";

const claimPath = "/claim";

/** The form by which a site that was set up for somebody becomes theirs. */
const claimPage = (visit: Visit, trouble: FormTrouble, name = ""): Page =>
	formPage(visit, {
		title: "Claim your site",
		trouble,
		above: html`<p>Choose a password for the account that owns the site.</p>`,
		action: claimPath,
		fields: [
			{ ...nameField(name, trouble.faults?.name), label: "Your name (optional)", isOptional: true },
			newPasswordField(trouble.faults?.password, "New password"),
		],
		button: "Claim the site",
	});

const resendClaimPage = (visit: Visit, trouble: FormTrouble): Page =>
	formPage(visit, {
		title: "Resend email",
		trouble,
		above: html`<p>The link to claim the site was emailed to the address that it was set up for. A new email replaces
the earlier link.</p>`,
		action: `${claimPath}/resend`,
		hidden: { token: visit.field("resend") || visit.field("token") },
		button: "Resend email",
	});

/** Shown once the mail is queued; does not reveal the address. */
const claimResentPage: Page = {
	title: "Check your email",
	body: html`<p>We sent the email to the address that the site was set up for. Its link works once, within 7 days.</p>`,
};

/** Shown for a link that was used, replaced, is too old or never existed. */
const claimDeadPage: Page = {
	title: "This link is no longer valid",
	body: html`<p>It works once, within 7 days, and a newer email replaces it.</p>
<ul>
<li>If the site is yours already, just sign in; <a href="${resetPath}">ask for a new password</a> if you lost yours.</li>
<li>If it is not, open the address that was given out when the site was set up: it has the mail sent again.</li>
</ul>`,
};
