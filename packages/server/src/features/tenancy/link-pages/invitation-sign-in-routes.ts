import { Type } from "typebox";
import type { App } from "../../../platform/http/app.ts";
import { type PageSet, takeForm } from "../../../platform/http/pages/page-routes.ts";
import { SignInBody } from "../../people/auth/index.ts";
import { signInForms, VerifyLoginBody } from "../../people/two-factor/index.ts";
import { AcceptExistingBody } from "../invitations/index.ts";
import type { LinkPagesDeps } from "./deps.ts";
import { invitationPath, memberCodePage, memberSignInPage, pageOf } from "./invitation-pages.ts";
import { invitedBy, tellingDead } from "./invitation-visit.ts";
import { guard, type Visit } from "./page-routes.ts";

const { token } = AcceptExistingBody.properties;
const PasswordBody = Type.Object({ token, password: SignInBody.properties.password });
const { challenge_token: challengeToken, code } = VerifyLoginBody.properties;
const CodeBody = Type.Object({ token, challenge_token: challengeToken, code });

/** The forms that ask somebody who is invited and has an account to sign in: password, then the code of a second factor. */
export function registerInvitationSignIn(pages: App, set: PageSet<Visit>, deps: LinkPagesDeps): void {
	const forms = signInForms<Visit>(deps, {
		passwordPage: async (visit, trouble) => memberSignInPage(visit.frame, await invitedBy(deps, visit), trouble),
		codePage: async (visit, given) => memberCodePage(visit.frame, (await invitedBy(deps, visit)).token, given),
		next: ({ field }) => pageOf(field("token")),
		labels: { password: "The password", code: "The code" },
	});
	const byPassword = {
		url: `${invitationPath}/sign-in`,
		summary: "Sign in as the invited address",
		guard,
		body: PasswordBody,
		refuse: tellingDead(forms.refusePassword),
	};
	takeForm(pages, set, byPassword, async (visit, { password }) => {
		const { email } = (await invitedBy(deps, visit)).invitation;
		return forms.takePassword(visit, { email, password });
	});
	const byCode = {
		url: `${invitationPath}/code`,
		summary: "Second step of signing in",
		guard,
		body: CodeBody,
		refuse: tellingDead(forms.refuseCode),
	};
	takeForm(pages, set, byCode, async (visit, body) =>
		forms.takeCode(visit, { challengeToken: body.challenge_token, code: body.code }),
	);
}
