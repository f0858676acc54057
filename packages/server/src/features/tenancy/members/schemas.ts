import { Type } from "typebox";
import { orgRoles } from "../../../access/index.ts";
import { Id, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { OrgRoleName } from "../organizations/index.ts";

const slug = () => Type.String({ description: "Organization slug" });

export const MemberParams = Type.Object({ slug: slug(), user_id: Id() });
export const MemberSiteParams = Type.Object({ slug: slug(), user_id: Id(), site_id: Type.String() });

export const MemberList = Type.Object({
	members: Type.Array(
		Type.Object({
			user_id: Type.Integer(),
			email: Type.String(),
			name: Type.String(),
			role: OrgRoleName,
			site_count: Type.Integer({ description: "Active sites that the caller can access" }),
			created_at: Timestamp(),
		}),
	),
	total: Type.Integer(),
});
export const AddMemberBody = Type.Object({
	user_id: Id(),
	role: OneOf([...orgRoles], { default: "member" }),
});
export const ChangeMemberBody = Type.Object({ role: OrgRoleName });

export const OrganizationSiteList = Type.Object({
	sites: Type.Array(
		Type.Object({
			id: Type.String(),
			name: Type.String(),
			is_active: Type.Boolean(),
			timezone: Type.String(),
			currency: Type.String(),
			created_at: Timestamp(),
		}),
	),
	total: Type.Integer(),
});
export const MemberSiteList = Type.Object({
	sites: Type.Array(
		Type.Object({
			id: Type.String(),
			name: Type.String(),
			has_access: Type.Boolean(),
			role: Nullable(OneOf(["viewer", "editor", "admin", "owner"])),
		}),
	),
	total: Type.Integer(),
});
export const AssignSitesBody = Type.Object({
	site_ids: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1 }),
	role: OneOf(["editor", "viewer"], { default: "viewer" }),
});
export const AssignedSites = Type.Object({
	added: Type.Array(Type.String()),
	already_assigned: Type.Array(Type.String()),
	invalid: Type.Array(Type.String(), { description: "Sites that are not part of the organization" }),
});
