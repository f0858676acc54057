import { Type } from "typebox";
import { orgRoles, siteRoles } from "../../../access/index.ts";
import { Id, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { Password } from "../../people/users/index.ts";
import { OrgRoleName } from "../organizations/index.ts";

const token = () => Type.String({ minLength: 20, maxLength: 200 });

export const InvitationParams = Type.Object({
	slug: Type.String({ description: "Organization slug" }),
	id: Id(),
});
export const TokenParams = Type.Object({ token: Type.String({ maxLength: 200 }) });

const invitation = {
	id: Type.Integer(),
	org_id: Type.String({ format: "uuid" }),
	email: Type.String(),
	role: OrgRoleName,
	site_ids: Type.Array(Type.String(), { description: "Sites that a member gets a role on" }),
	site_role: OneOf([...siteRoles]),
	invited_by_name: Nullable(Type.String()),
	is_active: Type.Boolean({ description: "The invitation can still be accepted" }),
	expires_at: Timestamp(),
	accepted_at: Nullable(Timestamp()),
	created_at: Timestamp(),
};
export const InvitationList = Type.Object({
	invitations: Type.Array(Type.Object(invitation)),
	total: Type.Integer(),
});

export const InviteBody = Type.Object({
	email: Type.String({ format: "email", maxLength: 254, pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$" }),
	role: OneOf([...orgRoles], { default: "member" }),
	site_ids: Type.Array(Type.String({ maxLength: 64 }), {
		default: [],
		description: "Sites that a member gets a role on; owners and admins have access to all",
	}),
	site_role: OneOf([...siteRoles], { default: "viewer", description: "The member's role on these sites" }),
});
export const Invited = Type.Object({
	invitation_id: Type.Integer(),
	invitation_link: Type.String({ description: "Shown only in this response, and mailed" }),
	expires_at: Timestamp(),
});

export const InvitationPreview = Type.Object({
	org_name: Type.String(),
	email: Type.String(),
	role: OrgRoleName,
	invited_by_name: Nullable(Type.String()),
});
export const AcceptBody = Type.Object({
	token: token(),
	name: Type.String({ minLength: 1, maxLength: 255 }),
	password: Password(),
});
export const Accepted = Type.Object({
	message: Type.String(),
	org_name: Type.String(),
	access_token: Type.String(),
	token_type: Type.Literal("bearer"),
	expires_in: Type.Integer({ description: "Seconds" }),
});
export const AcceptExistingBody = Type.Object({ token: token() });
export const AcceptedByUser = Type.Object({
	message: Type.String(),
	org_name: Type.String(),
	org_slug: Type.String(),
});
