import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../platform/http/app.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { clientOf, SignInBody, type SignInOutcome, setSessionCookies, signIn } from "../../people/auth/index.ts";
import { VerifyLoginBody, verifyLogin } from "../../people/two-factor/index.ts";
import { AcceptExistingBody } from "../invitations/index.ts";
import type { LinkPagesDeps } from "./deps.ts";
import { invitationPath, memberCodePage, memberSignInPage, pageOf } from "./invitation-pages.ts";
import { type InvitationPage, invitedBy, refusingInvitation } from "./invitation-visit.ts";
import { takeForm, type Visit } from "./page-routes.ts";
import { troubleOf } from "./refusal.ts";

const path = invitationPath;
const labels = { password: "The password", code: "The code" };
const APP_CODE = /^\d{6}$/;

const { token } = AcceptExistingBody.properties;
const PasswordBody = Type.Object({ token, password: SignInBody.properties.password });
const { challenge_token: challengeToken, code } = VerifyLoginBody.properties;
const CodeBody = Type.Object({ token, challenge_token: challengeToken, code });

/** The forms that ask somebody who is invited and has an account to sign in: password, then the code of a second factor. */
export function registerInvitationSignIn(pages: App, deps: LinkPagesDeps): void {
	const byPassword = {
		path,
		url: "/sign-in",
		summary: "Sign in as the invited address",
		body: PasswordBody,
		refuse: refusingInvitation(deps, passwordPage),
	};
	takeForm(pages, deps, byPassword, async (visit, { password }) => {
		const { email } = (await invitedBy(deps, visit)).invitation;
		return proceed(deps, visit, await signIn(deps, { email, password }, clientOf(visit.request)));
	});
	const byCode = {
		path,
		url: "/code",
		summary: "Second step of signing in",
		body: CodeBody,
		refuse: refusingInvitation(deps, codePage),
	};
	takeForm(pages, deps, byCode, async (visit, body) => {
		const given = body.code.replace(/\s/g, "");
		const kind = APP_CODE.test(given) ? ("app" as const) : ("backup" as const);
		const shown = { challengeToken: body.challenge_token, code: given, kind };
		return proceed(deps, visit, await verifyLogin(deps, shown, clientOf(visit.request)));
	});
}

/** A proof that was right ends in a session, or in the question for the second factor. */
async function proceed(deps: LinkPagesDeps, visit: Visit, outcome: SignInOutcome): Promise<Page | FastifyReply> {
	const { reply, frame, field } = visit;
	if (outcome.kind === "challenge") return memberCodePage(frame, await invitedBy(deps, visit), outcome);
	setSessionCookies(reply, outcome.secrets, deps.cookieSecure);
	// By 303, so that no form is sent twice.
	return reply.redirect(pageOf(field("token")), 303);
}

const passwordPage: InvitationPage = ({ frame }, invited, refusal) =>
	memberSignInPage(frame, invited, troubleOf(refusal, labels));

const codePage: InvitationPage = ({ frame, field }, invited, refusal) =>
	refusal?.code === "token_invalid" || refusal?.code === "token_expired"
		? memberSignInPage(frame, invited, { error: "This took too long. Please sign in again." })
		: memberCodePage(frame, invited, { challengeToken: field("challenge_token"), ...troubleOf(refusal, labels) });
