export {
	acceptAsUser,
	acceptInvitation,
	type OpenInvitation,
	openInvitation,
	signInAccepted,
} from "./accept-invitation.ts";
export { AcceptBody, AcceptExistingBody, acceptLimit, registerInvitations } from "./routes.ts";
export { endInvitationsOf } from "./send-invitation.ts";
export { dropEndedInvitations } from "./store.ts";
